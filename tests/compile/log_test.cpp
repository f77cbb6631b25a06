#include "compile/log.h"

#include <gtest/gtest.h>

namespace visor::compile {
namespace {

TEST(NamedSource, TellsTheCompilerTheNameOnALineOfItsOwn) {
    EXPECT_EQ(named_source("a/b.cl", "x\ny"), "#line 1 \"a/b.cl\"\nx\ny");
    EXPECT_EQ(named_source("a\"\\\n.cl", "x"), "#line 1 \"a\\\"\\\\?.cl\"\nx") << "no name can end the line";
    EXPECT_EQ(named_source("a.cl", "\xEF\xBB\xBFx"), "#line 1 \"a.cl\"\nx")
        << "a byte order mark only leads a file";
}

TEST(CleanLog, DropsTheDriversLines) {
    EXPECT_EQ(clean_log(std::string_view(
                  "\nk.cl:1:2: error: e\n  int\n  ^\n\nBuild failed with error code: -11\n\0", 66)),
              "k.cl:1:2: error: e\n  int\n  ^\n");
    EXPECT_EQ(clean_log(""), "");
    EXPECT_EQ(clean_log("Build succeeded.\n"), "");
    EXPECT_EQ(clean_log("warning: w\n\nBuild succeeded.\n"), "warning: w\n");
}

TEST(Explain, NamesWhatIsAtFault) {
    EXPECT_EQ(explain(-11, "k.cl:1:1: error: e\n", "k.cl", "skl").message, "`k.cl` does not build for skl");
    EXPECT_EQ(explain(-11, "k.cl:1:1: error: e\n", "k.cl", "skl").kind, FailureKind::build_error);
    const Refusal option = explain(-11, "Unrecognized build options: -bogus\n", "k.cl", "skl");
    EXPECT_EQ(option.kind, FailureKind::bad_option);
    EXPECT_EQ(option.message, "the OpenCL compiler does not know the option `-bogus`");
    const Refusal device = explain(-33, "Error: Cannot get HW Info for device bmg.\n", "k.cl", "bmg");
    EXPECT_EQ(device.kind, FailureKind::bad_option);
    EXPECT_EQ(device.message, "the OpenCL compiler does not know the device `bmg`");
    EXPECT_EQ(explain(-6, "", "k.cl", "skl").kind, FailureKind::compiler_missing);
    EXPECT_EQ(explain(0, "", "k.cl", "skl").message, "the OpenCL compiler made no binary of `k.cl`");
}

TEST(KernelCount, OfNoElfIsZero) {
    EXPECT_EQ(kernel_count(""), 0U);
    EXPECT_EQ(kernel_count("\177ELF"), 0U);
    EXPECT_EQ(kernel_count(std::string(64, '\377')), 0U);
}

} // namespace
} // namespace visor::compile
