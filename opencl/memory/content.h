// What moves bytes of memory objects and of SVM at the wish of a command. No other file does: the thread
// sanitizer is told to leave this one alone where a test has queues race for the same bytes
// (tests/opencl/content_races.cpp).
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

// The same bytes in as few and as long rows as there can be, where they lie one behind the other on both
// sides: long copies run at the speed of memory.
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

// A pattern again and again; the last one may be a part.
inline void fill_repeating(std::byte* to, std::span<const std::byte> pattern, size_t bytes) {
    if (std::ranges::all_of(pattern, [&](std::byte one) { return one == pattern.front(); })) {
        std::memset(to, std::to_integer<int>(pattern.front()), bytes);
        return;
    }
    constexpr size_t longest = 16 << 10U; // of a copy: what it reads stays in the nearest cache
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
