// Where something stands in an input: a byte range. Line and column are derived when a message is rendered,
// so that positions cost eight bytes and binaries and texts share one type.
#pragma once

#include <algorithm>
#include <cstdint>

namespace visor {

struct Location {
    uint32_t offset = 0; // bytes from the start of the input
    uint32_t length = 0; // bytes; 0 = a point

    friend bool operator==(const Location&, const Location&) = default;
};

// Of what an input says of itself, which may lie behind its end: the part inside its `input_bytes` (less than
// 4 GiB).
constexpr Location within(uint64_t offset, uint64_t length, uint64_t input_bytes) {
    const uint64_t begin = std::min(offset, input_bytes);
    return {static_cast<uint32_t>(begin), static_cast<uint32_t>(std::min(length, input_bytes - begin))};
}

} // namespace visor
