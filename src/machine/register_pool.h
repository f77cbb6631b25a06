// Registers of functions that are called: blocks that come back when the call returns, so that a deep
// recursion costs no allocation the second time. Bounded, because the depth is the kernel's choice.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

namespace visor::machine {

class RegisterPool {
public:
    static constexpr uint64_t limit = uint64_t{256} << 20U; // bytes of all blocks

    // At least `bytes` bytes, 64-byte aligned, whatever was in them before; nullptr when the limit is
    // reached.
    [[nodiscard]] std::byte* take(uint32_t bytes);
    // Of a block that was taken with the same size.
    void give_back(std::byte* block, uint32_t bytes);

private:
    static constexpr std::align_val_t alignment{64};
    struct Delete {
        void operator()(std::byte* memory) const { ::operator delete[](memory, alignment); }
    };

    uint64_t bytes_ = 0;
    std::vector<std::unique_ptr<std::byte[], Delete>> blocks_;
    std::array<std::vector<std::byte*>, 33> free_; // by size, a power of two
};

} // namespace visor::machine
