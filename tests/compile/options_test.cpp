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

std::string both_of(std::string_view options, bool is_source = true) {
    const auto read = read_options(options, is_source);
    return read ? read->text + " | " + read->internal : "error: " + read.error();
}

TEST(Options, OfTheCodeGeneratorGoBesideTheProgramsOwn) {
    EXPECT_EQ(both_of("-DX -cl-intel-256-GRF-per-thread -ze-intel-enable-auto-large-GRF-mode -DY"),
              "-DX -DY | -cl-intel-256-GRF-per-thread -ze-intel-enable-auto-large-GRF-mode");
    EXPECT_EQ(both_of("-cl-intel-num-thread-per-eu 4 -DX"), "-DX | -cl-intel-num-thread-per-eu 4");
    EXPECT_EQ(
        both_of("-cl-intel-num-thread-per-eu '4 -dump'"),
        "error: the OpenCL compiler cannot be given the option `4 -dump`: white space can only follow a =")
        << "no second option comes in so";
    EXPECT_EQ(both_of("-ze-opt-disable -cl-intel-no-prera-scheduling"),
              "-ze-opt-disable -cl-intel-no-prera-scheduling | ")
        << "the compiler knows them";
    EXPECT_EQ(both_of("-ze-unheardof"), "-ze-unheardof | ") << "the compiler refuses it by name";
    EXPECT_EQ(both_of("-library-compilation"), " | -library-compilation");
    EXPECT_EQ(both_of("-library-compilation", false), "-library-compilation | ");
    EXPECT_EQ(both_of("-ze-emit-zebin-visa-sections"), " | ");
}

TEST(Options, LevelsOfOptimisationAreTranslated) {
    EXPECT_EQ(both_of("-ze-opt-level=O0"), "-cl-opt-disable | ");
    EXPECT_EQ(both_of("-ze-opt-level 0 -DX"), "-cl-opt-disable -DX | ");
    EXPECT_EQ(both_of("-ze-opt-level=2"), " | ");
    EXPECT_EQ(both_of("-ze-opt-level O1"), " | ");
    EXPECT_EQ(both_of("-ze-opt-level"), "error: `-ze-opt-level`: the levels are 0, 1, 2 and 3");
    EXPECT_EQ(both_of("-ze-opt-level=fast"), "error: `-ze-opt-level=fast`: the levels are 0, 1, 2 and 3");
}

TEST(Options, ExplicitSimdTakesNoneOfLevelZero) {
    EXPECT_EQ(both_of("-vc-codegen -ze-intel-enable-auto-large-GRF-mode -ze-unheardof -DX", false),
              "-vc-codegen -DX | ");
    EXPECT_EQ(both_of("-ze-intel-num-thread-per-eu 4 -vc-codegen", false), "-vc-codegen | ");
    EXPECT_EQ(both_of("-vc-codegen -cl-intel-256-GRF-per-thread", false),
              "-vc-codegen | -cl-intel-256-GRF-per-thread");
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

TEST(Options, FilesThatTheyNameAreTold) {
    const auto read = read_options("-include /a.h -imacros/b.h -isystem /c -DX -I/e -include");
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(read->named, (std::vector<std::string>{"/a.h", "/b.h", "/c", ""}));
    EXPECT_TRUE(read->reads_files);
}

TEST(Options, PathsThatMacrosStandForAreTold) {
    const auto read = read_options("-D PATH=/usr/share/x -DOTHER=/a/ -D N=1 -DRELATIVE=b/c -D EMPTY= -DX -D");
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(read->named, (std::vector<std::string>{"/usr/share/x", "/a/"}));
}

} // namespace
} // namespace visor::compile
