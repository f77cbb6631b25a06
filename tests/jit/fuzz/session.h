// Runs drawn programs in processes of their own, so that whatever kills or stops one is found as well. Which
// programs these are depends on the first seed and their number alone, not on how many run at a time.
#pragma once

#include "jit/engine/object.h"
#include "recipe.h"

#include <optional>
#include <string>
#include <vector>

namespace visor::jit_fuzz {

struct Request {
    uint64_t seed = 1;
    uint64_t count = 0;  // 0: until the time is over
    double seconds = 20; // unless a count is given
    uint64_t mismatches = 1;
    uint64_t jobs = 1;                 // processes at a time
    std::string found;                 // folder
    std::vector<jit::Level> levels;    // of all programs, one run each; none: each program's own
    std::vector<std::string> replayed; // files
    bool mistake = false;              // in the code generator
    bool print = false;                // the programs, and run none
    bool checked = false;              // checkers listen, each program's choice of them
    bool large = false;                // programs of 20 to 60 instructions alone
};

inline constexpr uint64_t most_jobs = 256;

[[nodiscard]] bool cpu_has(jit::Level level);

[[nodiscard]] Recipe drawn(const Request& request, std::optional<jit::Level> level, uint64_t seed);

// True: programs ran, and none differed.
[[nodiscard]] bool fuzz(const Request& request, std::optional<jit::Level> level);

} // namespace visor::jit_fuzz
