#include "vm/report.h"

#include <gtest/gtest.h>

namespace visor::vm {
namespace {

using compile::FailureKind;

TEST(Report, CompilerFailuresHaveTheirExitKind) {
    EXPECT_EQ(error_of({FailureKind::build_error, "m", ""}).kind, ErrorKind::invalid);
    EXPECT_EQ(error_of({FailureKind::bad_option, "m", ""}).kind, ErrorKind::invalid);
    EXPECT_EQ(error_of({FailureKind::compiler_missing, "m", ""}).kind, ErrorKind::compiler);
    EXPECT_EQ(error_of({FailureKind::compiler_crashed, "m", ""}).kind, ErrorKind::compiler);
    EXPECT_EQ(error_of({FailureKind::time_limit, "m", ""}).kind, ErrorKind::time);
}

TEST(Report, TheCompilersWordsComeFirst) {
    EXPECT_EQ(error_of({FailureKind::build_error, "it does not build", "k.cl:1:1: error: x\n\n"}).text,
              "k.cl:1:1: error: x\nit does not build");
    EXPECT_EQ(error_of({FailureKind::compiler_missing, "there is none", ""}).text, "there is none");
}

TEST(Report, UnsupportedAloneIsNoError) {
    Diagnostics diagnostics;
    diagnostics.unsupported(std::nullopt, "rule", "something new");
    const SourceView source{"k.visaasm", "", false};
    EXPECT_EQ(error_of(diagnostics, source, Color::off).kind, ErrorKind::unsupported);
    diagnostics.error(std::nullopt, "rule", "something wrong");
    const Error both = error_of(diagnostics, source, Color::off);
    EXPECT_EQ(both.kind, ErrorKind::invalid);
    EXPECT_NE(both.text.find("something new"), std::string::npos);
    EXPECT_NE(both.text.find("something wrong"), std::string::npos);
    EXPECT_FALSE(both.text.ends_with('\n'));
}

} // namespace
} // namespace visor::vm
