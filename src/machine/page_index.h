// A two-level page table from the arena's pages to their allocations, with blocks allocated at first use. A
// lookup is two loads. It does not know where an allocation ends within its last page.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace visor::machine {

struct Allocation;

// Lookups may run on many threads at any time; one thread at a time sets.
class PageIndex {
public:
    PageIndex() = default;
    // For pages of `page` bytes, a power of two, from `base` on.
    PageIndex(uint64_t base, uint64_t bytes, uint64_t page);
    ~PageIndex();
    PageIndex(const PageIndex&) = delete;
    PageIndex& operator=(const PageIndex&) = delete;
    PageIndex(PageIndex&&) = delete;
    PageIndex& operator=(PageIndex&&) = delete;

    // Sets the owner of whole pages from `address` on. nullptr: none. Error: std::bad_alloc, with nothing
    // set.
    void set(uint64_t address, uint64_t bytes, const Allocation* owner);

    // nullptr: no owner, or not in the arena.
    [[nodiscard]] const Allocation* at(uint64_t address) const {
        const uint64_t number = (address - base_) >> page_shift_;
        if (number >= pages_)
            return nullptr;
        const Block* const block = blocks_[number / block_pages].load(std::memory_order_acquire);
        return block == nullptr ? nullptr : (*block)[number % block_pages].load(std::memory_order_acquire);
    }

private:
    static constexpr size_t block_pages = 16384;
    using Block = std::array<std::atomic<const Allocation*>, block_pages>;

    uint64_t base_ = 0;
    uint64_t pages_ = 0;
    uint32_t page_shift_ = 0;
    std::vector<std::atomic<Block*>> blocks_;
};

} // namespace visor::machine
