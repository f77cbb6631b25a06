#include "machine/page_index.h"

#include <bit>

namespace visor::machine {

PageIndex::PageIndex(uint64_t base, uint64_t bytes, uint64_t page)
    : base_(base), pages_(bytes / page), page_shift_(static_cast<uint32_t>(std::countr_zero(page))),
      blocks_((pages_ + block_pages - 1) / block_pages) {}

PageIndex::~PageIndex() {
    for (std::atomic<Block*>& block : blocks_)
        delete block.load(std::memory_order_relaxed);
}

void PageIndex::set(uint64_t address, uint64_t bytes, const Allocation* owner) {
    const uint64_t first = (address - base_) >> page_shift_;
    const uint64_t end = first + (bytes >> page_shift_);
    for (uint64_t k = first / block_pages; owner != nullptr && k * block_pages < end; ++k)
        if (blocks_[k].load(std::memory_order_relaxed) == nullptr)
            blocks_[k].store(new Block{}, std::memory_order_release);
    for (uint64_t number = first; number < end; ++number)
        if (Block* const block = blocks_[number / block_pages].load(std::memory_order_relaxed))
            (*block)[number % block_pages].store(owner, std::memory_order_release);
}

} // namespace visor::machine
