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

// What a shell says of `visor run -- application` that gets such a signal after a second: its exit code, its
// standard error.
test::Finished ended_by(const std::string& signal, const std::string& what) {
    return test::run({"/bin/sh", "-c", "\"$0\" run -- \"$1\" \"$2\" & sleep 1; kill -$3 $!; wait $!",
                      VISOR_PROGRAM, VISOR_APPLICATION, what, signal});
}

TEST(RunApplication, KernelsOfOneNameAreToldApart) {
    const auto ran = visor({"--check=race", "-v"}, "alike");
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_TRUE(last_line(ran).starts_with("visor: 2 kernels of 2 programs, 4 launches, ")) << ran.err;
    EXPECT_NE(last_line(ran).find(", 1 finding; exact"), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find("\n    in program 3: kernel `alike`\n"), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find("\nvisor: program 2: kernel `alike`; 2 launches\n"), std::string::npos) << ran.err;
    // 64 accesses of a launch, told at the first and again at the end.
    EXPECT_NE(ran.err.find("\nnote: seen 64 times\n"), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find("[data-race]\n    seen 128 times in all\n"), std::string::npos) << ran.err;
}

TEST(RunApplication, WhyAFindingHasNoLine) {
    const test::TemporaryFolder folder;
    const std::string cache = folder.file("program");
    EXPECT_EQ(visor({}, "save=" + cache).exit_code, 0);
    const auto ran = visor({"--check=race"}, "load=" + cache);
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_NE(ran.err.find("note: program 2 has no source lines: it was made from a binary, perhaps from a "
                           "cache of the application's: empty that"),
              std::string::npos)
        << ran.err;
}

TEST(RunApplication, SchedulesAreCompared) {
    const auto same = visor({"--seeds", "0..3"}, "good");
    EXPECT_EQ(same.exit_code, 0) << same.err;
    EXPECT_EQ(same.out, "hello\n"); // of the first run alone
    EXPECT_TRUE(last_line(same).ends_with("; exact; the same with 4 schedules")) << same.err;
    const auto other = visor({"--seeds", "0..20"}, "order");
    EXPECT_EQ(other.exit_code, 1);
    EXPECT_NE(other.err.find("the result depends on the schedule: with --seed 0 and "), std::string::npos)
        << other.err;
    EXPECT_NE(other.err.find("after launch 1, of `order` of program 1, the memory has other bytes; "
                             "`--check=race` may tell why"),
              std::string::npos)
        << other.err;
    EXPECT_EQ(visor({"--seed", "7"}, "order").exit_code, 0);
    EXPECT_EQ(visor({"--seed", "x"}, "order").exit_code, 2);
    EXPECT_EQ(visor({"--seed", "1", "--seeds", "1..2"}, "order").exit_code, 2);
    EXPECT_EQ(visor({"--seeds", "2..1"}, "order").exit_code, 2);
}

TEST(RunApplication, ASignalEndsItWithItsSummary) {
    const auto ran = ended_by("TERM", "endless");
    EXPECT_EQ(ran.exit_code, 128 + 15) << ran.err;
    EXPECT_NE(ran.err.find("visor: no kernel was run to its end, 1 launch not finished; `" VISOR_APPLICATION
                           "` ended by signal 15"),
              std::string::npos)
        << ran.err;
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
