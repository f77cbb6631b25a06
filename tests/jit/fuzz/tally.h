// What a run of the fuzzer counts, and how it tells of it. The counters are in memory that several processes
// see: each process writes its own tally, the parent adds them up.
#pragma once

#include "jit/engine/object.h"
#include "recipe.h"
#include "rig.h"

#include <array>
#include <string>
#include <string_view>

namespace visor::jit_fuzz {

struct Tally {
    volatile uint64_t programs = 0;
    volatile uint64_t instructions = 0; // of programs
    volatile uint64_t executed = 0;     // by the interpreter
    volatile uint64_t called_out = 0;
    volatile uint64_t faulted = 0;
    volatile uint64_t endless = 0;
    volatile uint64_t no_code = 0;
    volatile uint64_t refused = 0;       // programs
    volatile uint64_t lines_refused = 0; // of drawn ones
    volatile uint64_t nan_bits = 0;
    volatile uint64_t findings = 0; // launches with some
    volatile uint64_t mismatches = 0;
    volatile uint64_t digest = 0; // of the programs, in any order
    std::array<volatile uint64_t, 4> levels{};
    std::array<volatile uint64_t, 3> tiers{};

    void count(const Trial& trial, const Recipe& recipe);
    void add(const Tally& other);
};

// "12 programs from seed 1 on, ...".
[[nodiscard]] std::string words_of(const Tally& tally, uint64_t seed, double seconds);

// By jit::Level; the first is this CPU's own.
inline constexpr std::array<std::string_view, 4> level_names{"host", "avx2", "sse4.2", "avx512"};

} // namespace visor::jit_fuzz
