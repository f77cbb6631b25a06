#include "machine/register_pool.h"

#include <algorithm>
#include <bit>
#include <utility>

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
        std::byte* const block = carve(size);
        bytes_ += block == nullptr ? 0 : size;
        return block;
    }
    std::byte* const block = spare.back();
    spare.pop_back();
    return block;
}

std::byte* RegisterPool::carve(uint64_t size) {
    if (size > left_) { // the rest is unused
        GuardedMemory chunk;
        const uint64_t usual = std::min(first_chunk << std::min<size_t>(chunks_.size(), 6), largest_chunk);
        if (!chunk.reallocate(std::max(size, usual)))
            return nullptr;
        left_ = chunk.size();
        chunks_.push_back(std::move(chunk));
    }
    left_ -= size;
    return chunks_.back().data() + left_;
}

void RegisterPool::give_back(std::byte* block, uint32_t bytes) {
    free_[size_class(bytes)].push_back(block);
}

void RegisterPool::return_to(const Mark& mark) {
    // A chunk that came later is unused now, the rest of the one before is left alone.
    left_ = chunks_.size() == mark.chunks ? mark.left : chunks_.back().size();
    bytes_ = mark.bytes;
    free_ = mark.free;
}

} // namespace visor::machine
