// Where something stands in an input: a byte range. Line and column are derived when a message is rendered,
// so that positions cost eight bytes and binaries and texts share one type.
#pragma once

#include <cstdint>

namespace visor {

struct Location {
    uint32_t offset = 0; // bytes from the start of the input
    uint32_t length = 0; // bytes; 0 = a point

    friend bool operator==(const Location&, const Location&) = default;
};

} // namespace visor
