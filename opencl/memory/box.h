// Boxes of bytes: rows and slices with a pitch for each side.
#pragma once

#include "number/checked_size.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace visor::opencl {

// The limit of a process's address space: larger sizes are invalid.
inline size_t addresses_from(const void* at) {
    constexpr size_t all = size_t{1} << 56U; // five levels of pages
    return all - std::min(all, reinterpret_cast<size_t>(at));
}

struct Pitch {
    size_t row = 0;
    size_t slice = 0;
};
struct Box {
    size_t bytes = 0; // of a row
    size_t rows = 1;
    size_t slices = 1;

    // From the first byte to the last one; none of the counts is zero.
    [[nodiscard]] number::CheckedSize extent(Pitch pitch) const {
        using number::CheckedSize;
        return CheckedSize(slices - 1) * pitch.slice + CheckedSize(rows - 1) * pitch.row + bytes;
    }
    // For host memory. Nothing: exceeds the address space from `at` on.
    [[nodiscard]] std::optional<size_t> extent_at(const void* at, Pitch pitch) const {
        const number::CheckedSize all = extent(pitch);
        return all.is_within(addresses_from(at)) ? all.value() : std::nullopt;
    }
};

// A rectangle of a buffer as the API gives it: an origin and a region in bytes, rows and slices.
struct Rectangle {
    std::array<size_t, 3> origin{};
    std::array<size_t, 3> region{};
    Pitch pitch;

    // Sets default pitches. False: the given ones are too small for the region.
    [[nodiscard]] bool settle() {
        if (pitch.row == 0)
            pitch.row = region[0];
        if (pitch.row < region[0])
            return false;
        const auto slice = (number::CheckedSize(pitch.row) * region[1]).value();
        if (!slice)
            return false;
        if (pitch.slice == 0)
            pitch.slice = *slice;
        return pitch.slice >= *slice && pitch.slice % pitch.row == 0;
    }
    [[nodiscard]] number::CheckedSize offset() const {
        using number::CheckedSize;
        return CheckedSize(origin[2]) * pitch.slice + CheckedSize(origin[1]) * pitch.row + origin[0];
    }
    [[nodiscard]] number::CheckedSize end() const { return offset() + box().extent(pitch); }
    // Whether it is within this many bytes.
    [[nodiscard]] bool is_within(size_t bytes) const { return end().is_within(bytes); }
    [[nodiscard]] Box box() const { return {region[0], region[1], region[2]}; }
};

} // namespace visor::opencl
