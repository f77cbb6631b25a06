// Copies and fills of memory objects and SVM by commands. No other file does these: the thread sanitizer
// ignores this one where a test has queues race for the same bytes (tests/opencl/content_races.cpp).
#pragma once

#include "opencl/memory/box.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

namespace visor::opencl {

// The two may overlap.
inline void move_content(void* to, const void* from, size_t bytes) {
    std::memmove(to, from, bytes);
}

// Merges rows that are contiguous on both sides into as few as possible: long copies run at memory bandwidth.
inline Box merged(Box box, Pitch one, Pitch other) {
    if (box.rows == 1 || (one.row == box.bytes && other.row == box.bytes))
        box = {box.bytes * box.rows, 1, box.slices};
    if (box.rows == 1 && one.slice == box.bytes && other.slice == box.bytes)
        box = {box.bytes * box.slices, 1, 1};
    return box;
}

inline void copy_box(std::byte* to, Pitch to_pitch, const std::byte* from, Pitch from_pitch, Box box) {
    box = merged(box, to_pitch, from_pitch);
    for (size_t z = 0; z < box.slices; ++z) {
        for (size_t y = 0; y < box.rows; ++y)
            move_content(to + z * to_pitch.slice + y * to_pitch.row,
                         from + z * from_pitch.slice + y * from_pitch.row, box.bytes);
    }
}

// Fills with a repeated pattern; the last repetition may be partial.
inline void fill_repeating(std::byte* to, std::span<const std::byte> pattern, size_t bytes) {
    if (std::ranges::all_of(pattern, [&](std::byte one) { return one == pattern.front(); })) {
        std::memset(to, std::to_integer<int>(pattern.front()), bytes);
        return;
    }
    constexpr size_t longest = 16 << 10U; // of a copy: its source stays in the L1 cache
    const size_t whole = std::max<size_t>(longest / pattern.size(), 1) * pattern.size();
    size_t done = std::min(bytes, pattern.size());
    std::memcpy(to, pattern.data(), done);
    while (done < bytes) { // whole patterns each time
        const size_t next = std::min({done, bytes - done, whole});
        std::memcpy(to + done, to, next);
        done += next;
    }
}

} // namespace visor::opencl
