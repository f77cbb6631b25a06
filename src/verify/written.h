// Registers that are read and that nothing writes, whole variables or parts: what a compiler does that lost a
// value on its way.
#pragma once

#include "diagnostic/diagnostic.h"
#include "module/module.h"

#include <cstdint>
#include <string>
#include <vector>

namespace visor::verify {

struct NeverWritten {
    std::string variable;
    Location read; // the first operand that reads it
    // Of a part, the bytes [begin, end) of the variable, the first that `read` takes; of all of it, both 0.
    uint32_t begin = 0;
    uint32_t end = 0;

    [[nodiscard]] bool whole() const { return begin == end; }
};

// By place, each variable once. A variable counts as written by an instruction that names it, or an alias of
// its storage, as a destination; as an input; and when its address is taken. Where all its destinations are
// known to the byte, a part that none of them reaches is found as well, if it is certain that an instruction
// reads it and makes something of it (ruling 185). `grf_bytes` 0: not known, so that only whole variables are
// looked at. O(n log n) in the function's instructions.
[[nodiscard]] std::vector<NeverWritten> never_written(const Function& function, uint32_t grf_bytes);

} // namespace visor::verify
