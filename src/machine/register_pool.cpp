#include "machine/register_pool.h"

#include <algorithm>
#include <bit>

namespace visor::machine {

namespace {

constexpr uint32_t smallest = 10; // 1 KiB

uint32_t size_class(uint32_t bytes) {
    return std::max<uint32_t>(smallest, static_cast<uint32_t>(std::bit_width(bytes - (bytes > 0 ? 1U : 0U))));
}

} // namespace

std::byte* RegisterPool::take(uint32_t bytes) {
    const uint32_t kind = size_class(bytes);
    std::vector<std::byte*>& spare = free_[kind];
    if (spare.empty()) {
        const uint64_t size = uint64_t{1} << kind;
        if (size > limit - bytes_)
            return nullptr;
        bytes_ += size;
        blocks_.emplace_back(new (alignment) std::byte[size]);
        return blocks_.back().get();
    }
    std::byte* const block = spare.back();
    spare.pop_back();
    return block;
}

void RegisterPool::give_back(std::byte* block, uint32_t bytes) {
    free_[size_class(bytes)].push_back(block);
}

} // namespace visor::machine
