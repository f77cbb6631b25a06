// The JIT's switches in the environment.
#include "launched.h"
#include "process/process.h"
#include "vm/jit_options.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <initializer_list>
#include <string>
#include <sys/stat.h>
#include <utility>
#include <vector>

namespace visor::vm {
namespace {

using Variables = std::initializer_list<std::pair<const char*, const char*>>;

// The options with these variables alone.
std::expected<jit::CompileOptions, std::string> options_with(Variables variables) {
    for (const auto& [name, value] : variables)
        setenv(name, value, 1);
    auto options = jit_options_of_environment();
    for (const auto& [name, value] : variables)
        unsetenv(name);
    return options;
}

TEST(JitOptions, NothingIsTheDefault) {
    const auto options =
        options_with({{"VISOR_JIT_CPU", ""}, {"VISOR_JIT_TIER", ""}, {"VISOR_JIT_DISABLE", ""}});
    ASSERT_TRUE(options) << options.error();
    EXPECT_EQ(options->level, jit::Level::host);
    EXPECT_EQ(options->tier, jit::Tier::quick);
    EXPECT_TRUE(options->lowered);
    EXPECT_TRUE(options->switches.disabled.empty());
    EXPECT_FALSE(options->switches.logs());
    EXPECT_FALSE(options->switches.verify);
}

TEST(JitOptions, EachIsRead) {
    const auto options = options_with({{"VISOR_JIT_TIER", "best"},
                                       {"VISOR_JIT_DISABLE", "sink-cold,,broadcast-loads"},
                                       {"VISOR_JIT_PRINT_AFTER", "all"},
                                       {"VISOR_JIT_TIME", "1"},
                                       {"VISOR_JIT_VERIFY", "1"},
                                       {"VISOR_JIT_CALL_OUT_ALL", "1"}});
    ASSERT_TRUE(options) << options.error();
    EXPECT_EQ(options->tier, jit::Tier::best);
    EXPECT_EQ(options->switches.disabled, (std::vector<std::string>{"sink-cold", "broadcast-loads"}));
    EXPECT_EQ(options->switches.print_after, (std::vector<std::string>{"all"}));
    EXPECT_TRUE(options->switches.time);
    EXPECT_TRUE(options->switches.verify);
    EXPECT_FALSE(options->lowered);
}

// Old and misspelt values are no silent default.
TEST(JitOptions, OtherValuesAreErrors) {
    EXPECT_EQ(options_with({{"VISOR_JIT_CPU", "sse4"}}).error(),
              "VISOR_JIT_CPU: `sse4` is none of avx512, avx2, sse4.2");
    EXPECT_EQ(options_with({{"VISOR_JIT_TIER", "2"}}).error(), "VISOR_JIT_TIER: `2` is none of quick, best");
}

#if defined(__x86_64__)
// Code for a CPU that this one is not would be an illegal instruction.
TEST(JitOptions, NoMoreThanThisCpuHas) {
    const bool has = __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
                     __builtin_cpu_supports("avx512vl") != 0;
    const auto options = options_with({{"VISOR_JIT_CPU", "avx512"}});
    ASSERT_EQ(options.has_value(), has);
    if (has)
        EXPECT_EQ(options->level, jit::Level::avx512);
    else
        EXPECT_EQ(options.error(), "VISOR_JIT_CPU: this CPU has no avx512");
    const auto least = options_with({{"VISOR_JIT_CPU", "sse4.2"}}); // what LLVM 19 runs on here has it
    ASSERT_TRUE(least) << least.error();
    EXPECT_EQ(least->level, jit::Level::sse4);
}
#endif

// What they do to a launch of a kernel that stores its group's number.
class JitOptionsOfALaunch : public ::testing::Test {
protected:
    std::expected<RunReport, Error> launch_with(Variables variables) {
        for (const auto& [name, value] : variables)
            setenv(name, value, 1);
        RunSettings settings;
        settings.engine = EngineKind::jit;
        launch::HandGeometry geometry;
        geometry.in_threads = true;
        geometry.groups = {4, 1, 1};
        geometry.threads = 1;
        const std::vector<launch::HandInput> inputs{{"TO", to_}};
        auto report = context_.run(*loaded(context_, kernel), "", inputs, {}, geometry, settings);
        for (const auto& [name, value] : variables)
            unsetenv(name);
        return report;
    }

    static constexpr const char* kernel = R"(.version 4.1
.kernel "groups"
.decl TO v_type=G type=uq num_elts=1 align=GRF
.decl AT v_type=G type=ud num_elts=1 align=GRF
.decl X v_type=G type=ud num_elts=4 align=GRF
.input TO offset=64 size=8
.kernel_attr SimdSize=16
    shl (M1_NM, 1) AT(0,0)<1> %group_id_x(0,0)<0;1,0> 0x4:ud
    add (M1_NM, 1) TO(0,0)<1> TO(0,0)<0;1,0> AT(0,0)<0;1,0>
    mov (M1_NM, 4) X(0,0)<1> %group_id_x(0,0)<0;1,0>
    svm_block_st (1) TO(0,0)<0;1,0> X.0
    ret (M1, 1)
)";
    Context context_{*isa::device_named("skl")};
    launch::Buffer to_ = context_.allocate(64, "to").value();
};

TEST_F(JitOptionsOfALaunch, WhatNoCpuIsIsAnError) {
    const auto report = launch_with({{"VISOR_JIT_CPU", "pentium"}});
    ASSERT_TRUE(!report || report->error);
    const std::string text = report ? report->error->text : report.error().text;
    EXPECT_EQ(text, "error: VISOR_JIT_CPU: `pentium` is none of avx512, avx2, sse4.2");
}

// The interpreter runs it, and somebody hears of that.
TEST_F(JitOptionsOfALaunch, AnUnknownPassIsAWarning) {
    const auto report = launch_with({{"VISOR_JIT_TIER", "best"}, {"VISOR_JIT_DISABLE", "unroll"}});
    ASSERT_TRUE(report) << report.error().text;
    EXPECT_TRUE(report->engine_failed);
    EXPECT_NE(report->engine_story.find("VISOR_JIT_DISABLE: there is no pass `unroll`"), std::string::npos)
        << report->engine_story;
    EXPECT_EQ(std::to_integer<int>(context_.bytes_of(to_)[48]), 3);
}

// What had no code has none in the next process either, which does not ask for it: an answer would be a new
// file in the place of the first.
TEST_F(JitOptionsOfALaunch, ARefusalIsKept) {
    const test::TemporaryFolder folder;
    const auto file_after_a_launch = [&]() -> ino_t {
        const auto report = launch_with({{"VISOR_JIT_TIER", "best"},
                                         {"VISOR_JIT_DISABLE", "no-pass"},
                                         {"VISOR_CACHE_DIR", folder.path().c_str()}});
        EXPECT_TRUE(report && report->no_code.find("VISOR_JIT_DISABLE: there is no pass `no-pass`") !=
                                  std::string::npos);
        std::vector<ino_t> files;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path())) {
            struct stat facts{};
            if (entry.is_regular_file() && stat(entry.path().c_str(), &facts) == 0)
                files.push_back(facts.st_ino);
        }
        EXPECT_EQ(files.size(), 1U);
        return files.empty() ? 0 : files.front();
    };
    const ino_t first = file_after_a_launch();
    EXPECT_EQ(file_after_a_launch(), first);
}

// The code is made anew each time, for its log.
TEST_F(JitOptionsOfALaunch, TheLogIsAppendedToAFile) {
    const test::TemporaryFolder folder;
    const std::string log = folder.file("log");
    for (int times = 1; times <= 2; ++times) {
        const auto report = launch_with({{"VISOR_JIT_TIER", "best"},
                                         {"VISOR_JIT_PRINT_AFTER", "sink-cold"},
                                         {"VISOR_JIT_LOG", log.c_str()}});
        ASSERT_TRUE(report && !report->error);
        const std::string text = test::read_file(log);
        int found = 0;
        for (size_t at = 0; (at = text.find("; after sink-cold\n", at)) != std::string::npos; ++at)
            ++found;
        EXPECT_GE(found, times);
    }
}

} // namespace
} // namespace visor::vm
