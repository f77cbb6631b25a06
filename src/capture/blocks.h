// The memory of a launch as arrays that do not overlap, so that arguments that share memory share it again.
#pragma once

#include "capture/launch.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace visor::capture {

struct Block {
    std::span<const std::byte> bytes;
    // The first argument that is all of it; none: arguments are parts of it.
    std::optional<size_t> argument;
};

struct Place {
    size_t block = 0;
    uint64_t offset = 0; // of the argument's bytes
};

struct Blocks {
    std::vector<Block> all;
    std::vector<std::optional<Place>> places; // by argument; none: no object
};

[[nodiscard]] Blocks blocks_of(const Launch& launch);

} // namespace visor::capture
