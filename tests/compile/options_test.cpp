#include "compile/options.h"

#include <gtest/gtest.h>

namespace visor::compile {
namespace {

std::string text_of(std::string_view options) {
    const auto read = read_options(options);
    return read ? read->text : "error: " + read.error();
}

TEST(Options, AreSplitAndRespelled) {
    EXPECT_EQ(text_of(""), "");
    EXPECT_EQ(text_of("  -DN=4\t\n-cl-std=CL2.0 "), "-DN=4 -cl-std=CL2.0")
        << "the compiler knows only spaces";
    EXPECT_EQ(text_of("'-DN=3 + 4'"), "-DN=\"3 + 4\"") << "it knows double quotes after something else only";
    EXPECT_EQ(text_of("-DN=\"3 + 4\""), "-DN=\"3 + 4\"");
    EXPECT_EQ(text_of("-D N=3\\ +\\ 4"), "-D N=\"3 + 4\"");
}

TEST(Options, KeysOfTheCompilerKeepTheirSingleQuotes) {
    EXPECT_EQ(text_of("-igc_opts 'A=1,B=2' -DX"), "-igc_opts 'A=1,B=2' -DX");
    EXPECT_EQ(text_of("-igc_opts A=1"), "-igc_opts 'A=1'");
    EXPECT_EQ(text_of("-igc_opts \"A='1'\""),
              "error: the OpenCL compiler cannot be given `-igc_opts A='1'`: it "
              "takes no quote there");
}

TEST(Options, IncludeFoldersAreTakenOut) {
    const auto read = read_options("-I/a -DX -I '/b c' -I\"/d\" -Irelative");
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(read->text, "-DX");
    ASSERT_EQ(read->include_folders.size(), 4U);
    EXPECT_EQ(read->include_folders[0], "/a");
    EXPECT_EQ(read->include_folders[1], "/b c");
    EXPECT_EQ(read->include_folders[2], "/d");
    EXPECT_TRUE(read->include_folders[3].starts_with('/'));
    EXPECT_TRUE(read->include_folders[3].ends_with("/relative"));
}

TEST(Options, ExtensionsGoWhereTheCompilerTakesThem) {
    const auto read = read_options("-DX -cl-ext=+__cl_clang_function_pointers -DY -cl-ext=-cl_khr_fp16");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->text, "-DX -DY");
    EXPECT_EQ(read->internal, "-cl-ext=+__cl_clang_function_pointers -cl-ext=-cl_khr_fp16");
    EXPECT_FALSE(read_options("'-cl-ext=+a -dump'"));
}

TEST(Options, ThatReadFilesAreMarked) {
    EXPECT_FALSE(read_options("-DX -I/a -igc_opts 'A=1'")->reads_files);
    EXPECT_TRUE(read_options("-include x.h")->reads_files);
}

TEST(Options, WhatCannotBeToldIsRefused) {
    EXPECT_EQ(text_of("-DA='"), "error: a ' in the compiler options is never closed");
    EXPECT_EQ(text_of("-DX -I"), "error: the compiler option -I lacks its folder");
    EXPECT_EQ(text_of("-DN=\\\"abc\\\""),
              "error: the OpenCL compiler cannot be given the option `-DN=\"abc\"`: it "
              "takes no double quote inside an option");
    EXPECT_EQ(text_of("'a b'"),
              "error: the OpenCL compiler cannot be given the option `a b`: white space can only follow a =");
}

TEST(IncludeOption, QuotesTheFolder) {
    EXPECT_EQ(include_option("/a b"), "-I\"/a b\"");
    EXPECT_FALSE(include_option("/a\"b"));
    EXPECT_FALSE(include_option("/a\nb"));
}

} // namespace
} // namespace visor::compile
