// What the benchmarks of text, binary and verifier share: one benchmark for each text, and what a second is
// worth in bytes and instructions.
#pragma once

#include "corpus.h"

#include <benchmark/benchmark.h>

namespace visor::bench {

// `measure` runs its loop over a state and returns how many bytes one turn reads or writes.
using Measure = size_t (*)(benchmark::State& state, const Corpus& corpus);

inline void add(const char* what, Measure measure) {
    for (const Corpus& corpus : corpora()) {
        const std::string name = std::string(what) + "/" + corpus.name;
        benchmark::RegisterBenchmark(name.c_str(), [&corpus, measure](benchmark::State& state) {
            const size_t bytes = measure(state, corpus);
            state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes));
            state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(corpus.instructions));
        })->Unit(benchmark::kMillisecond);
    }
}

inline int run(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}

} // namespace visor::bench
