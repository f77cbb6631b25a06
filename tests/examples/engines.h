// One example on the interpreter and on each kind of the JIT's code: right on all, and the same bits.
#pragma once

#include "examples/host.h"

#include <cstdint>

namespace visor::test {

enum class Agreement : uint8_t {
    same,
    differs, // what differs, and where, is on standard output
    wrong,   // the reason is on standard output
};

// Carries the check out once a kind, through environment variables: not while other threads read those.
// Launches are compared one by one with the interpreter's: arrays, images and what was printed. Wrong is also
// code whose bits depend on its tier or on the CPU.
[[nodiscard]] Agreement compare_engines(const Check& check, const Place& place);

} // namespace visor::test
