// The JIT's switches in the environment.
#include "vm/jit_options.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <initializer_list>
#include <string>
#include <utility>

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
                                       {"VISOR_JIT_DISABLE", "sink-cold,,pack-extracts"},
                                       {"VISOR_JIT_PRINT_AFTER", "all"},
                                       {"VISOR_JIT_TIME", "1"},
                                       {"VISOR_JIT_VERIFY", "1"},
                                       {"VISOR_JIT_CALL_OUT_ALL", "1"}});
    ASSERT_TRUE(options) << options.error();
    EXPECT_EQ(options->tier, jit::Tier::best);
    EXPECT_EQ(options->switches.disabled, (std::vector<std::string>{"sink-cold", "pack-extracts"}));
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

} // namespace
} // namespace visor::vm
