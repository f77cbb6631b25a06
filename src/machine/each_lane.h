// A value for each lane of an instruction, aligned for the host's vectors; not initialized.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace visor::machine {

inline constexpr uint32_t most_lanes = 32;

template <class T>
struct alignas(64) EachLane {
    std::array<T, most_lanes> at;

    [[nodiscard]] T& operator[](size_t lane) { return at[lane]; }
    [[nodiscard]] const T& operator[](size_t lane) const { return at[lane]; }
};

} // namespace visor::machine
