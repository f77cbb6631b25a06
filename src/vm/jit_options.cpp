#include "vm/jit_options.h"

#include <cstdlib>
#include <fmt/format.h>
#include <string_view>

namespace visor::vm {

namespace {

std::string_view variable(const char* name) {
    const char* const value = getenv(name);
    return value == nullptr ? "" : value;
}

// Vector extensions of this CPU.
struct Extensions {
    bool sse4 = false;
    bool avx2 = false;
    bool avx512 = false;
};

Extensions extensions() {
#if defined(__x86_64__)
    return {.sse4 = __builtin_cpu_supports("sse4.2") != 0,
            .avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0,
            .avx512 = __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
                      __builtin_cpu_supports("avx512vl") != 0};
#else
    return {};
#endif
}

std::expected<jit::Level, std::string> level_of(std::string_view name) {
    const Extensions has = extensions();
    const auto unless = [&](bool present, jit::Level level) -> std::expected<jit::Level, std::string> {
        if (present)
            return level;
        return std::unexpected(fmt::format("VISOR_JIT_CPU: this CPU has no {}", name));
    };
    if (name.empty())
        return jit::Level::host;
    if (name == "avx512")
        return unless(has.avx512, jit::Level::avx512);
    if (name == "avx2")
        return unless(has.avx2, jit::Level::avx2);
    if (name == "sse4.2")
        return unless(has.sse4, jit::Level::sse4);
    return std::unexpected(fmt::format("VISOR_JIT_CPU: `{}` is none of avx512, avx2, sse4.2", name));
}

} // namespace

std::expected<jit::CompileOptions, std::string> jit_options_of_environment() {
    jit::CompileOptions options{.tier = jit::Tier::quick};
    const std::string_view tier = variable("VISOR_JIT_TIER");
    if (tier == "best")
        options.tier = jit::Tier::best;
    else if (!tier.empty() && tier != "quick")
        return std::unexpected(fmt::format("VISOR_JIT_TIER: `{}` is none of quick, best", tier));
    const auto level = level_of(variable("VISOR_JIT_CPU"));
    if (!level)
        return std::unexpected(level.error());
    options.level = *level;
    options.lowered = variable("VISOR_JIT_CALL_OUT_ALL").empty();
    options.switches = {.disabled = jit::names_in(variable("VISOR_JIT_DISABLE")),
                        .print_after = jit::names_in(variable("VISOR_JIT_PRINT_AFTER")),
                        .time = !variable("VISOR_JIT_TIME").empty(),
                        .verify = !variable("VISOR_JIT_VERIFY").empty(),
                        .log_file = std::string(variable("VISOR_JIT_LOG"))};
    return options;
}

} // namespace visor::vm
