// Kernel arguments that point into the middle of something, on every device that compiled code differs for
// and with both engines: surfaces of the binding table (skl to dg2) and flat addresses (pvc).
#include "process/process.h"

#include <gtest/gtest.h>
#include <tuple>

namespace visor::opencl_test {

namespace {

test::Finished visor(std::vector<std::string> options, const std::string& what) {
    options.insert(options.begin(), {VISOR_PROGRAM, "run"});
    options.insert(options.end(), {"--", VISOR_APPLICATION, what});
    return test::run(options);
}

constexpr const char* all_right =
    "back 0\nbelow 0\nboth 0\nahead 0\natomics 0\nbytes 0\nodd 0\nloads 0\nnull 0\n";

class Pointers : public testing::TestWithParam<std::tuple<const char*, const char*>> {
protected:
    std::vector<std::string> options_{"--device", std::get<0>(GetParam()), "--engine",
                                      std::get<1>(GetParam())};
    bool stateless_ = std::string_view(std::get<0>(GetParam())) == "pvc";
};

TEST_P(Pointers, IntoTheMiddleReachTheWholeAllocation) {
    const auto ran = visor(options_, "shared");
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out, all_right) << ran.err;
    options_.emplace_back("--check=memory");
    const auto checked = visor(options_, "shared");
    EXPECT_EQ(checked.exit_code, 0) << checked.err;
    EXPECT_EQ(checked.out, all_right) << checked.err;
    EXPECT_NE(checked.err.find("no findings"), std::string::npos) << checked.err;
}

TEST_P(Pointers, PartsOfBuffersEndWhereTheyEnd) {
    const auto within = visor(options_, "part");
    EXPECT_EQ(within.exit_code, 0) << within.err;
    EXPECT_EQ(within.out, "part 0\n");
    if (stateless_)
        return; // a flat address is good in the whole buffer
    const auto across = visor(options_, "parts");
    EXPECT_EQ(across.exit_code, 0) << across.err;
    EXPECT_EQ(across.out, "part 0\npart 0\npart 0\n");
    options_.emplace_back("--check=memory");
    const auto checked = visor(options_, "parts");
    EXPECT_EQ(checked.exit_code, 1) << checked.err;
    EXPECT_NE(checked.err.find("before the start of buffer (128 bytes)"), std::string::npos) << checked.err;
}

TEST_P(Pointers, NothingOutsideTheAllocationIsReached) {
    const auto ran = visor(options_, "outside");
    EXPECT_EQ(ran.exit_code, stateless_ ? 1 : 0) << ran.err; // a fault, or dropped
    EXPECT_TRUE(stateless_ || ran.out == "outside 0\n") << ran.out;
    options_.emplace_back("--check=memory");
    const auto checked = visor(options_, "outside");
    EXPECT_EQ(checked.exit_code, 1) << checked.err;
    const bool named =
        checked.err.find("before the start of shared memory (512 bytes) [out-of-bounds-write]\n    at shared "
                         "memory - 0x4\n") != std::string::npos;
    EXPECT_TRUE(stateless_ || named) << checked.err;
}

INSTANTIATE_TEST_SUITE_P(All, Pointers,
                         testing::Combine(testing::Values("skl", "icllp", "tgllp", "dg2", "pvc"),
                                          testing::Values("interp", "jit")),
                         [](const auto& one) {
                             return std::string(std::get<0>(one.param)) + "_" + std::get<1>(one.param);
                         });

} // namespace

} // namespace visor::opencl_test
