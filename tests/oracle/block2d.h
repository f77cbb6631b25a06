// Where the elements of two-dimensional blocks stand in registers: LSC_UNTYPED page, LOAD_BLOCK2D, walked
// through as its loops go. Rows and columns that a loop reaches outside the block are padding (ruling 77).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace oracle {

struct Block2d {
    unsigned element = 1; // bytes
    int blocks = 1;
    int width = 1; // elements
    int height = 1;
    bool transposed = false;
    bool transformed = false; // VNNI
    int x = 0;                // elements, rows
    int y = 0;
};

// A surface of `width` bytes in `height` rows.
struct Plane {
    std::span<std::byte> bytes;
    int width = 0;
    int height = 0;
    int pitch = 0; // bytes
};

[[nodiscard]] std::vector<std::byte> load_block2d(const Block2d& block, const Plane& plane, unsigned grf);
void store_block2d(const Block2d& block, const Plane& plane, std::span<const std::byte> registers,
                   unsigned grf);

} // namespace oracle
