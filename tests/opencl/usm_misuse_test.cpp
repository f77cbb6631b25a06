// What `--check=memory` finds of unified shared memory that is used as it cannot be, and what is refused
// without it.
#include "process/process.h"

#include <gtest/gtest.h>

namespace visor::opencl_test {

namespace {

test::Finished visor(std::vector<std::string> options, const std::string& what) {
    options.insert(options.begin(), {VISOR_PROGRAM, "run"});
    options.insert(options.end(), {"--", VISOR_APPLICATION, what});
    return test::run(options);
}

struct Case {
    std::string what;
    std::string rule;             // "": nothing is found
    std::string text;             // of the finding
    std::string out = "code 0\n"; // the application's own words
};

const std::vector<Case>& cases() {
    static const std::vector<Case> all{
        {"argument after free", "use-after-free", "clSetKernelArgMemPointerINTEL: error: 0x", "code -50\n"},
        {"argument freed later", "use-after-free", "argument 0 of kernel `add`: error: ", "code -52\n"},
        {"copy after free", "use-after-free", "in USM shared memory 1 (4096 bytes), which was freed",
         "code -30\n"},
        {"set after free", "use-after-free", "clEnqueueMemsetINTEL: error: 64 bytes at 0x", "code -30\n"},
        {"freed twice", "use-after-free", "clMemFreeINTEL: error: ", "code -30\n"},
        {"other context as argument", "other-context", "in USM shared memory 1 of another context",
         "code -50\n"},
        {"other context in a copy", "other-context", "clEnqueueMemcpyINTEL: error: 64 bytes at 0x"},
        {"copy past the end", "out-of-bounds", "5000 bytes at 0x", "code -30\n"},
        {"read into freed memory", "use-after-free", "clEnqueueReadBuffer: error: 64 bytes at 0x",
         "code -30\n"},
        {"buffer past the end", "out-of-bounds", "clCreateBuffer: error: 5000 bytes at 0x", "code -37\n"},
        {"freed by the other call", "not-an-allocation", "clSVMFree: error: 0x"},
        {"argument of the stack", "not-an-allocation", "clSetKernelArgMemPointerINTEL: error: 0x",
         "code -50\n"},
        {"not declared", "undeclared-access",
         "in USM device memory 2, which is no argument and was not declared"},
        {"declared as another kind", "undeclared-access", "in USM device memory 2"},
        {"declared by kind", "", ""},
        {"declared by pointer", "", ""},
        {"host reads device memory", "host-access", "the host touches byte 12 of USM device memory",
         "1\n1\ncode 0\n"},
        {"host writes device memory", "host-access", "the host touches byte 12 of USM device memory",
         "5\ncode 0\n"},
        {"host touches shared memory", "", "", "1\n1\ncode 0\n"},
        {"device memory is left alone", "", "", "1\ncode 0\n"},
    };
    return all;
}

class UsmMisuse : public testing::TestWithParam<size_t> {
protected:
    const Case& wanted_ = cases()[GetParam()];
};

TEST_P(UsmMisuse, IsFound) {
    for (const std::vector<std::string>& options :
         {std::vector<std::string>{"--check=memory"}, {"--check=all", "--device", "pvc"}}) {
        const auto ran = visor(options, wanted_.what);
        EXPECT_EQ(ran.exit_code, wanted_.rule.empty() ? 0 : 1) << wanted_.what << '\n' << ran.err;
        EXPECT_EQ(ran.out, wanted_.out) << wanted_.what << '\n' << ran.err;
        EXPECT_NE(ran.err.find(wanted_.rule.empty() ? "no findings" : "[" + wanted_.rule + "]"),
                  std::string::npos)
            << wanted_.what << '\n'
            << ran.err;
        EXPECT_NE(ran.err.find(wanted_.text), std::string::npos) << wanted_.what << '\n' << ran.err;
    }
}

TEST_P(UsmMisuse, BreaksNothingWithoutAsking) {
    for (const char* engine : {"interp", "auto"}) {
        const auto ran = visor({"--engine", engine}, wanted_.what);
        EXPECT_EQ(ran.exit_code, 0) << wanted_.what << '\n' << ran.err;
        EXPECT_EQ(ran.out, wanted_.out) << wanted_.what << '\n' << ran.err;
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, UsmMisuse, testing::Range(size_t{0}, cases().size()));

TEST(UsmMisuse, AKernelThatFollowsAFreedPointerFaults) {
    for (const char* device : {"skl", "pvc"}) {
        const auto ran = visor({"--device", device}, "followed after free");
        EXPECT_EQ(ran.exit_code, 1) << ran.err;
        EXPECT_NE(ran.err.find("it is in USM device memory 2 (4096 bytes), which was freed"),
                  std::string::npos)
            << ran.err;
    }
}

} // namespace

} // namespace visor::opencl_test
