#include "machine/guarded_memory.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) (static_cast<void>(address), static_cast<void>(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) (static_cast<void>(address), static_cast<void>(size))
#endif

namespace visor::machine {

namespace {

size_t page_bytes() {
    static const auto bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

size_t round_up(size_t bytes, size_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

// Inaccessible address space: uses no pages and no commit charge.
std::byte* reserve(size_t bytes) {
    void* const range = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return range == MAP_FAILED ? nullptr : static_cast<std::byte*>(range);
}

struct Pages {
    std::byte* begin = nullptr; // null: errno says why
    size_t guard = 0;
};

Pages map_pages(size_t bytes) {
    for (const size_t guard : {GuardedMemory::guard_bytes, GuardedMemory::least_guard_bytes}) {
        const size_t aside = round_up(guard, page_bytes());
        std::byte* const range = reserve(bytes + 2 * aside);
        if (range == nullptr)
            continue;
        if (mprotect(range + aside, bytes, PROT_READ | PROT_WRITE) == 0)
            return {range + aside, aside};
        const int why = errno;
        munmap(range, bytes + 2 * aside);
        errno = why;
        break;
    }
    return {};
}

#ifndef NDEBUG
constexpr int pattern = 0xa7;

void fill_slack(std::span<std::byte> slack) {
    std::memset(slack.data(), pattern, slack.size());
}
bool is_unchanged(std::span<const std::byte> slack) {
    return slack.empty() || (slack.front() == std::byte{pattern} &&
                             std::memcmp(slack.data(), slack.data() + 1, slack.size() - 1) == 0);
}
#else
void fill_slack(std::span<std::byte> /*slack*/) {}
#endif

} // namespace

GuardedMemory::~GuardedMemory() {
    release();
}

GuardedMemory::GuardedMemory(GuardedMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)),
      pages_(std::exchange(other.pages_, nullptr)), capacity_(std::exchange(other.capacity_, 0)),
      guard_(std::exchange(other.guard_, 0)) {}

GuardedMemory& GuardedMemory::operator=(GuardedMemory&& other) noexcept {
    if (this != &other) {
        release();
        data_ = std::exchange(other.data_, nullptr);
        size_ = std::exchange(other.size_, 0);
        pages_ = std::exchange(other.pages_, nullptr);
        capacity_ = std::exchange(other.capacity_, 0);
        guard_ = std::exchange(other.guard_, 0);
    }
    return *this;
}

void GuardedMemory::release() {
    if (pages_ == nullptr)
        return;
    mark_slack(false);
    munmap(pages_ - guard_, capacity_ + 2 * guard_);
    pages_ = nullptr;
}

std::expected<void, std::string> GuardedMemory::reallocate(size_t bytes) {
    if (bytes == size_)
        return {};
    if (bytes > most_bytes)
        return std::unexpected(
            fmt::format("{} bytes are more than the {} that a block may have", bytes, most_bytes));
    if (bytes > capacity_) {
        const size_t capacity = round_up(bytes, page_bytes());
        const Pages found = map_pages(capacity);
        if (found.begin == nullptr)
            return std::unexpected(fmt::format("cannot map {} bytes: {}", capacity, std::strerror(errno)));
        release();
        pages_ = found.begin;
        capacity_ = capacity;
        guard_ = found.guard;
        data_ = nullptr;
    }
    place_block(bytes);
    return {};
}

void GuardedMemory::place_block(size_t bytes) {
    if (data_ != nullptr)
        mark_slack(false);
    size_ = bytes;
    data_ = pages_ + (capacity_ - round_up(bytes, alignment));
    mark_slack(true);
}

// Accessible bytes around the block: poisoned for the address sanitizer, and checked for changes in builds
// with assertions.
void GuardedMemory::mark_slack(bool out_of_bounds) {
    const auto in_front = std::min(static_cast<size_t>(data_ - pages_), page_bytes());
    const std::array<std::span<std::byte>, 2> slack{
        std::span(data_ - in_front, in_front), std::span(data_ + size_, round_up(size_, alignment) - size_)};
    for (const std::span<std::byte> part : slack) {
        if (out_of_bounds) {
            fill_slack(part);
            ASAN_POISON_MEMORY_REGION(part.data(), part.size());
        } else {
            ASAN_UNPOISON_MEMORY_REGION(part.data(), part.size());
            assert(is_unchanged(part) && "memory around a block has changed");
        }
    }
}

std::byte* no_access_address() {
    static std::byte* const address = [] {
        std::byte* const range = reserve(2 * GuardedMemory::guard_bytes);
        return range == nullptr ? nullptr : range + GuardedMemory::guard_bytes;
    }();
    return address;
}

} // namespace visor::machine
