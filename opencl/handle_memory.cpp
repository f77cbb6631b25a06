#include "opencl/handle_memory.h"

#include <array>
#include <deque>
#include <mutex>
#include <new>

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
    void* take() {
        constexpr size_t at_rest = 256;
        const std::lock_guard guard(lock_);
        if (ended_.size() <= at_rest)
            return nullptr;
        void* block = ended_.front();
        ended_.pop_front();
        return block;
    }
    void add(void* block) {
        const std::lock_guard guard(lock_);
        ended_.push_back(block);
    }

private:
    std::mutex lock_;
    std::deque<void*> ended_;
};

// Never destroyed: static objects of the application may release handles as the process ends.
Blocks& blocks_of(Kind kind) {
    constexpr auto first = static_cast<size_t>(Kind::platform);
    static auto& all = *new std::array<Blocks, static_cast<size_t>(Kind::gone) - first>;
    return all[static_cast<size_t>(kind) - first];
}

} // namespace

void* take_memory(Kind kind, size_t bytes) {
    void* block = blocks_of(kind).take();
    if (block == nullptr)
        return ::operator new(bytes);
    ASAN_UNPOISON_MEMORY_REGION(block, bytes);
    return block;
}

void return_memory(Kind kind, void* block, size_t bytes) noexcept {
    auto* header = static_cast<Header*>(block);
    header->dispatch = &dispatch_table(); // a compiler may take the destroyed object's for dead
    header->counts.store(0, std::memory_order_relaxed);
    header->kind.store(Kind::gone, std::memory_order_relaxed);
    ASAN_POISON_MEMORY_REGION(header + 1, bytes - sizeof *header);
    try {
        blocks_of(kind).add(block);
    } catch (const std::bad_alloc&) { // the block is never used again
    }
}

} // namespace visor::opencl
