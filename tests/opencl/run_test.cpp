// `visor run -- app` from the outside: the application's own output stays its own, the summary is the last
// line on standard error, and the exit code is that of the worst thing that happened.
#include "process/process.h"

#include <gtest/gtest.h>

namespace visor::opencl_test {

namespace {

test::Finished visor(std::vector<std::string> options, const std::string& what) {
    options.insert(options.begin(), {VISOR_PROGRAM, "run"});
    options.insert(options.end(), {"--", VISOR_APPLICATION, what});
    return test::run(options);
}
test::Finished visor_with_replays(const std::vector<std::string>& options, const std::string& what) {
    std::vector<std::string> all{VISOR_PROGRAM, "run"};
    all.insert(all.end(), options.begin(), options.end());
    all.insert(all.end(), {"--", VISOR_APPLICATION, what, "recorded"});
    return test::run(all);
}

std::string last_line(const test::Finished& ran) {
    const size_t end = ran.err.find_last_not_of('\n');
    const size_t begin = ran.err.rfind('\n', end);
    return ran.err.substr(begin + 1, end - begin);
}

TEST(RunApplication, AGoodOneEndsWithItsSummary) {
    const auto ran = visor({}, "good");
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out, "hello\n");
    EXPECT_TRUE(last_line(ran).starts_with("visor: 1 kernel, 1 launch, 1 work-group, ")) << ran.err;
    EXPECT_TRUE(last_line(ran).ends_with(" instructions; exact")) << ran.err;
}

TEST(RunApplication, TheDeviceIsChosen) {
    EXPECT_EQ(visor({"--device", "pvc", "--engine", "interp", "--threads", "1"}, "good").exit_code, 0);
}

TEST(RunApplication, AFaultIsSeenThoughTheApplicationLooksAway) {
    const auto ran = visor({}, "fault");
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_NE(ran.err.find("memory access outside every allocation"), std::string::npos) << ran.err;
    EXPECT_NE(last_line(ran).find(", 1 error"), std::string::npos) << ran.err;
}

TEST(RunApplication, FindingsAreToldWithTheirLine) {
    const auto ran = visor({"--check=race"}, "race");
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_NE(ran.err.find("program.cl:4: error: "), std::string::npos) << ran.err;
    EXPECT_NE(last_line(ran).find(", 1 finding; exact"), std::string::npos) << ran.err;
    const auto clean = visor({"--check=race"}, "good");
    EXPECT_EQ(clean.exit_code, 0);
    EXPECT_NE(last_line(clean).find(", no findings; exact"), std::string::npos) << clean.err;
}

TEST(RunApplication, LaunchesOfCommandBuffersAreSeenAsOthersAre) {
    const auto ran = visor_with_replays({}, "good");
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_TRUE(last_line(ran).starts_with("visor: 1 kernel, 2 launches, 2 work-groups, ")) << ran.err;
    const auto races = visor_with_replays({"--check=race"}, "race");
    EXPECT_EQ(races.exit_code, 1);
    EXPECT_NE(races.err.find("program.cl:4: error: "), std::string::npos) << races.err;
    const auto fault = visor_with_replays({}, "fault");
    EXPECT_EQ(fault.exit_code, 1);
    EXPECT_NE(last_line(fault).find(", 2 errors"), std::string::npos) << fault.err;
}

TEST(RunApplication, TooWideArgumentsAreNotedByTheCheckers) {
    constexpr std::string_view note = "visor: note: kernel `wide`: argument 1 `v` has 4 bytes (int) and was "
                                      "given 8: the first 4 are taken\n";
    const auto ran = visor({"--check=memory"}, "wide");
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.err.find(note), ran.err.rfind(note)) << ran.err;
    EXPECT_NE(ran.err.find(note), std::string::npos) << ran.err;
    EXPECT_NE(last_line(ran).find("1 note"), std::string::npos) << ran.err;
    EXPECT_EQ(visor({}, "wide").err.find("note"), std::string::npos);
}

TEST(RunApplication, EndlessKernelsEnd) {
    const auto ran = visor({"--timeout", "0.5"}, "endless");
    EXPECT_EQ(ran.exit_code, 124) << ran.err;
}

TEST(RunApplication, TheProcessEndsWhileItBuilds) {
    const auto ran = visor({}, "early");
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
}

TEST(RunApplication, HowTheApplicationEndsCounts) {
    const auto ran = visor({}, "code");
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_NE(last_line(ran).find("ended with exit code 7"), std::string::npos) << ran.err;
    EXPECT_EQ(test::run({VISOR_PROGRAM, "run", "--", "/no/such/program"}).exit_code, 1);
    EXPECT_EQ(test::run({VISOR_PROGRAM, "run", "--"}).exit_code, 2);
    EXPECT_EQ(test::run({VISOR_PROGRAM, "run", "--check=nothing", "--", "true"}).exit_code, 2);
}

} // namespace

} // namespace visor::opencl_test
