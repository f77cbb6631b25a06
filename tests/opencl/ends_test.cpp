// What becomes of work when a process forks, ends or closes the library in the middle of it, and when a
// thread vanishes: the table in docs/opencl.md.
#include "process/process.h"

#include <gtest/gtest.h>

#include <chrono>
#include <ostream>

namespace visor::opencl_test {

namespace {

test::Finished run(const std::string& program, const std::string& how) {
    std::vector<std::pair<std::string, std::string>> environment{
        {"TSAN_OPTIONS", "die_after_fork=0"}, // it forbids new threads in a child otherwise
        {"VISOR_ENGINE", "interp"}};
    if (how.starts_with("fork")) // what threads of the parent had is no leak of a child without them
        environment.emplace_back("ASAN_OPTIONS", "detect_leaks=0");
    return test::run({program, how}, environment);
}

void expect_end(const std::string& program, const std::string& how, int exit_code) {
    const test::Finished ended = run(program, how);
    EXPECT_EQ(ended.exit_code, exit_code) << how << ": " << ended.err;
}

struct Way {
    std::string name;
    int exit_code = 0;
};

void PrintTo(const Way& way, std::ostream* to) {
    *to << way.name;
}

class Ends : public testing::TestWithParam<Way> {};

TEST_P(Ends, As) {
    expect_end(VISOR_ENDS, GetParam().name, GetParam().exit_code);
}

std::string test_name(const testing::TestParamInfo<Way>& info) {
    std::string out;
    for (const char letter : info.param.name)
        out += letter == ' ' || letter == '_' ? '_' : letter;
    return out;
}

constexpr int by_hand = 5;
constexpr int aborted = 128 + 6;

INSTANTIATE_TEST_SUITE_P(Fork, Ends,
                         testing::Values(Way{"fork idle"}, Way{"fork busy"}, Way{"fork while a thread waits"},
                                         Way{"fork blocked"}, Way{"fork in a callback"}),
                         test_name);
INSTANTIATE_TEST_SUITE_P(Exit, Ends,
                         testing::Values(Way{"exit", by_hand}, Way{"_exit", by_hand},
                                         Way{"quick_exit", by_hand}, Way{"return", by_hand},
                                         Way{"terminate", aborted}, Way{"exit in a callback", by_hand},
                                         Way{"exit while threads wait", by_hand},
                                         Way{"release after main", by_hand}),
                         test_name);
INSTANTIATE_TEST_SUITE_P(Threads, Ends,
                         testing::Values(Way{"pthread_exit in event callbacks"},
                                         Way{"pthread_exit in SVM callbacks"},
                                         Way{"pthread_exit in build callbacks"},
                                         Way{"pthread_exit in a destructor callback", aborted},
                                         Way{"cancel threads of the platform"},
                                         Way{"cancel threads that wait"}, Way{"cancel threads that work"},
                                         Way{"end threads that hold objects"}),
                         test_name);

// The end of a process waits five seconds for commands, but not for the one that it is called by.
TEST(EndsInACommand, TheProcessEndsAtOnce) {
    const auto begin = std::chrono::steady_clock::now();
    expect_end(VISOR_ENDS, "exit in a SVM callback", by_hand);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(4));
}

TEST(EndsOfALostChild, SaysWhyOnce) {
    const std::string err = run(VISOR_ENDS, "fork busy").err;
    const size_t first = err.find("cannot use OpenCL (CL_OUT_OF_RESOURCES)");
    EXPECT_NE(first, std::string::npos) << err;
    EXPECT_EQ(err.find("CL_OUT_OF_RESOURCES", first + 30), std::string::npos) << err;
}

TEST(Unloading, TheLibraryStays) {
    for (const char* const how : {"idle", "busy", "again"})
        expect_end(VISOR_UNLOAD, how, 0);
}

} // namespace

} // namespace visor::opencl_test
