// The random number generator of seeded schedules: small, the same on all platforms.
#pragma once

#include <cstdint>

namespace visor::machine {

// splitmix64.
[[nodiscard]] constexpr uint64_t next_random(uint64_t& state) {
    state += 0x9e3779b97f4a7c15U;
    uint64_t z = state;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
}

} // namespace visor::machine
