// How long a large kernel takes from text to ready: parsed, checked, prepared. Sizes double, so that what is
// not linear shows. The marks: a kernel of 40,000 instructions, 30,000 variables and 10,000 labels in a
// second.
#include "vm/vm.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <iterator>

namespace {

// For each label four instructions and three variables, which later ones read.
std::string large_kernel(uint32_t labels) {
    std::string text = ".version 4.1\n.kernel \"large\"\n";
    auto out = std::back_inserter(text);
    const uint32_t variables = 3 * labels;
    for (uint32_t i = 0; i < variables; ++i)
        fmt::format_to(out, ".decl W{} v_type=G type=d num_elts=1\n", i);
    text += ".decl again v_type=P num_elts=1\n.kernel_attr SimdSize=8\n";
    for (uint32_t label = 0; label < labels; ++label) {
        fmt::format_to(out, "L{}:\n", label);
        for (uint32_t i = 3 * label; i < 3 * label + 3; ++i)
            fmt::format_to(out, "    add (M1, 1) W{}(0,0)<1> W{}(0,0)<0;1,0> 0x{:x}:d\n", i,
                           uint64_t{i} * 7 % variables, i % 97);
        fmt::format_to(out, "    (again) goto (M1, 1) L{}\n", label);
    }
    return text + "    ret (M1, 1)\n";
}

void load(benchmark::State& state) {
    const std::string text = large_kernel(static_cast<uint32_t>(state.range(0)) / 4);
    for (auto _ : state) {
        visor::vm::Context context(*visor::isa::device_named("skl"));
        std::string warnings;
        const auto program = context.load("large.visaasm", text, {}, warnings);
        if (!program || !visor::vm::not_executed(**program, "large")) {
            state.SkipWithError("the kernel does not load");
            return;
        }
    }
    state.SetComplexityN(state.range(0));
}

} // namespace

BENCHMARK(load)
    ->Name("load/instructions")
    ->RangeMultiplier(2)
    ->Range(10'000, 80'000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();
BENCHMARK_MAIN();
