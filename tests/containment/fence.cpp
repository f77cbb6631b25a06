#include "fence.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <sys/mman.h>

namespace visor::containment {

namespace {

constexpr uint64_t page = 4096;
constexpr uint64_t region_bytes = uint64_t{1} << 40U;
constexpr unsigned char pattern = 0xa7;

std::atomic<bool> armed = false;
std::atomic<uint64_t> smallest = 256;
std::atomic<uint64_t> largest = 1U << 20U;
std::atomic<uint64_t> taken = 0;

// Address space that is never used twice.
struct Region {
    unsigned char* base = nullptr;
    std::atomic<uint64_t> next = 0;
};

Region& region() {
    static Region one = [] {
        void* const at =
            mmap(nullptr, region_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        return Region{at == MAP_FAILED ? nullptr : static_cast<unsigned char*>(at), 0};
    }();
    return one;
}

struct Header { // at the beginning of the first page
    uint64_t bytes = 0;
    uint64_t offset = 0; // of the block
};

void* take(uint64_t bytes, uint64_t alignment) {
    Region& all = region();
    const uint64_t pages = (bytes + alignment + sizeof(Header) + page - 1) / page;
    const uint64_t at = all.next.fetch_add((pages + 1) * page);
    if (all.base == nullptr || at + (pages + 1) * page > region_bytes)
        return nullptr;
    unsigned char* const first = all.base + at;
    if (mprotect(first, pages * page, PROT_READ | PROT_WRITE) != 0)
        return nullptr;
    const uint64_t offset = (pages * page - bytes) / alignment * alignment;
    std::memset(first, pattern, pages * page);
    const Header header{bytes, offset};
    std::memcpy(first, &header, sizeof header);
    ++taken;
    return first + offset;
}

bool is_fenced(const void* block) {
    const std::less<> before;
    const unsigned char* const base = region().base;
    return base != nullptr && !before(block, base) && before(block, base + region_bytes);
}

bool is_pattern(const unsigned char* bytes, uint64_t count) {
    return count == 0 || (*bytes == pattern && std::memcmp(bytes, bytes + 1, count - 1) == 0);
}

// What lies around the block in its pages is to be what it was.
void give_back(void* block) {
    // The header is in the block's first page, or as many pages before as it takes: never in the block.
    auto* const inside = static_cast<unsigned char*>(block) - 1;
    unsigned char* first = inside - reinterpret_cast<uint64_t>(inside) % page;
    Header header;
    for (;; first -= page) {
        std::memcpy(&header, first, sizeof header);
        if (first + header.offset == block)
            break;
    }
    const uint64_t end = (header.offset + header.bytes + page - 1) / page * page;
    const uint64_t behind = header.offset + header.bytes;
    if (!is_pattern(first + sizeof header, header.offset - sizeof header) ||
        !is_pattern(first + behind, end - behind)) {
        std::fputs("memory around a block has changed\n", stderr);
        std::abort();
    }
    if (mmap(first, end, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) ==
        MAP_FAILED)
        std::abort();
}

void* allocate(uint64_t bytes, uint64_t alignment) {
    void* found = nullptr;
    if (armed && bytes >= smallest && bytes <= largest)
        found = take(bytes, alignment);
    if (found == nullptr)
        found = std::aligned_alloc(alignment, (bytes + alignment) / alignment * alignment);
    if (found == nullptr)
        std::abort();
    return found;
}

void release(void* block) {
    if (block == nullptr)
        return;
    if (is_fenced(block))
        give_back(block);
    else
        std::free(block);
}

} // namespace

void arm(bool on) {
    armed = on;
}
void fence_every_size() {
    smallest = 1;
    largest = region_bytes;
}
uint64_t fenced_blocks() {
    return taken;
}
bool has_fences() {
    return true;
}

} // namespace visor::containment

using visor::containment::allocate;
using visor::containment::release;

void* operator new(size_t bytes) {
    return allocate(bytes, 16);
}
void* operator new[](size_t bytes) {
    return allocate(bytes, 16);
}
void* operator new(size_t bytes, std::align_val_t alignment) {
    return allocate(bytes, static_cast<size_t>(alignment) < 16 ? 16 : static_cast<size_t>(alignment));
}
void* operator new[](size_t bytes, std::align_val_t alignment) {
    return allocate(bytes, static_cast<size_t>(alignment) < 16 ? 16 : static_cast<size_t>(alignment));
}
void operator delete(void* block) noexcept {
    release(block);
}
void operator delete[](void* block) noexcept {
    release(block);
}
void operator delete(void* block, size_t) noexcept {
    release(block);
}
void operator delete[](void* block, size_t) noexcept {
    release(block);
}
void operator delete(void* block, std::align_val_t) noexcept {
    release(block);
}
void operator delete[](void* block, std::align_val_t) noexcept {
    release(block);
}
void operator delete(void* block, size_t, std::align_val_t) noexcept {
    release(block);
}
void operator delete[](void* block, size_t, std::align_val_t) noexcept {
    release(block);
}
