// Registers of functions that are called: blocks that come back when the call returns, so that a deep
// recursion costs no allocation the second time. Bounded, because the depth is the kernel's choice.
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

    // At least `bytes` bytes, 64-byte aligned, whatever was in them before; nullptr when the limit is
    // reached, or the system has no more.
    [[nodiscard]] std::byte* take(uint32_t bytes);
    // Of a block that was taken with the same size.
    void give_back(std::byte* block, uint32_t bytes);

private:
    // A mapping for each block would be more than the system has of them.
    static constexpr uint64_t first_chunk = uint64_t{64} << 10U;
    static constexpr uint64_t largest_chunk = uint64_t{4} << 20U;
    std::byte* carve(uint64_t size);

    uint64_t bytes_ = 0;
    std::vector<GuardedMemory> chunks_;            // blocks are taken from the last one's end
    uint64_t left_ = 0;                            // of its bytes
    std::array<std::vector<std::byte*>, 33> free_; // by size, a power of two
};

} // namespace visor::machine
