// A pool of register files for called functions: blocks are returned with the call and reused. Bounded,
// because the kernel controls the call depth.
#pragma once

#include "machine/guarded_memory.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace visor::machine {

class RegisterPool {
public:
    static constexpr uint64_t limit = uint64_t{256} << 20U; // bytes of all blocks

    // At least `bytes` uninitialized bytes, 64-byte aligned; nullptr at the limit, or if the system has no
    // more.
    [[nodiscard]] std::byte* take(uint32_t bytes);
    // Of a block that was taken with the same size.
    void give_back(std::byte* block, uint32_t bytes);

    // What is in use, to come back to: blocks that were taken since are free then, and keep their place.
    struct Mark {
        uint64_t bytes = 0;
        size_t chunks = 0;
        uint64_t left = 0;
        std::array<std::vector<std::byte*>, 33> free;
    };
    [[nodiscard]] Mark mark() const { return {bytes_, chunks_.size(), left_, free_}; }
    void return_to(const Mark& mark);

private:
    // A mapping for each block would exceed the system's limit of mappings.
    static constexpr uint64_t first_chunk = uint64_t{64} << 10U;
    static constexpr uint64_t largest_chunk = uint64_t{4} << 20U;
    std::byte* carve(uint64_t size);

    uint64_t bytes_ = 0;
    std::vector<GuardedMemory> chunks_;            // blocks are carved from the last one
    uint64_t left_ = 0;                            // unused bytes of it
    std::array<std::vector<std::byte*>, 33> free_; // by size, a power of two
};

} // namespace visor::machine
