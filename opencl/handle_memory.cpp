#include "opencl/handle_memory.h"

#include <array>
#include <mutex>
#include <new>
#include <unordered_set>
#include <utility>

#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, bytes) (static_cast<void>(address), static_cast<void>(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(address, bytes) (static_cast<void>(address), static_cast<void>(bytes))
#endif

namespace visor::opencl {

namespace {

// Blocks in the order in which their objects ended.
class Blocks {
public:
    // nullptr: too few have ended.
    Header* take() {
        constexpr size_t at_rest = 256;
        const std::lock_guard guard(lock_);
        if (ended_ <= at_rest)
            return nullptr;
        --ended_;
        return std::exchange(first_, first_->next);
    }
    void* make(size_t bytes) {
        void* const block = ::operator new(bytes);
        const std::lock_guard guard(lock_);
        all_.insert(block);
        return block;
    }
    bool has(const void* block) {
        const std::lock_guard guard(lock_);
        return all_.contains(block);
    }
    void add(Header& block) noexcept {
        const std::lock_guard guard(lock_);
        block.next = nullptr;
        (ended_++ == 0 ? first_ : last_->next) = &block;
        last_ = &block;
    }

private:
    std::mutex lock_;
    size_t ended_ = 0;
    Header* first_ = nullptr;
    Header* last_ = nullptr;
    std::unordered_set<const void*> all_; // also those that are in use
};

// Never destroyed: static objects of the application may release handles at exit.
Blocks& blocks_of(Kind kind) {
    constexpr auto first = static_cast<size_t>(Kind::platform);
    static auto& all = *new std::array<Blocks, static_cast<size_t>(Kind::gone) - first>;
    return all[static_cast<size_t>(kind) - first];
}

} // namespace

void* take_memory(Kind kind, size_t bytes) {
    Blocks& blocks = blocks_of(kind);
    Header* const block = blocks.take();
    if (block == nullptr)
        return blocks.make(bytes);
    ASAN_UNPOISON_MEMORY_REGION(block, bytes);
    return block;
}

bool is_handle_memory(Kind kind, const void* block) {
    return blocks_of(kind).has(block);
}

void return_memory(Kind kind, void* block, size_t bytes) noexcept {
    auto* header = static_cast<Header*>(block);
    header->dispatch = &dispatch_table(); // the optimizer may have removed stores before the destructor
    header->counts.store(0, std::memory_order_relaxed);
    header->kind.store(Kind::gone, std::memory_order_relaxed);
    ASAN_POISON_MEMORY_REGION(header + 1, bytes - sizeof *header);
    blocks_of(kind).add(*header);
}

} // namespace visor::opencl
