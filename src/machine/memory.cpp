// Places allocations in the arena and answers which of them an address belongs to. It hands out whole pages
// with a page that is never mapped behind each, and has a guard at both ends, so that a stray host access
// traps too; it knows nothing of kernels.
#include "machine/memory.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace visor::machine {
namespace {

// Far from where the system places its own mappings, so that a kernel's addresses are easy to recognise. Only
// a wish.
constexpr uint64_t wished_address = 0x2000'0000'0000;

// From here on an allocation asks for huge pages: kernels that walk through it miss the TLB less. What
// launches have for themselves, such as the 4 MiB that printf fills, is smaller: it is hardly touched, and a
// huge page is cleared as a whole.
constexpr uint64_t large_bytes = uint64_t{8} << 20U;

uint64_t page_bytes() {
    return static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

void* pointer(uint64_t address) {
    return Memory::host(address);
}

// Address space without access: it costs nothing until an allocation makes pages of it writable, and only
// then does the system count it (so MAP_NORESERVE, which would let any size through, is not wanted).
uint64_t reserve_range(uint64_t bytes) {
    void* const range = mmap(pointer(wished_address - Memory::guard_bytes), bytes + 2 * Memory::guard_bytes,
                             PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return range == MAP_FAILED ? 0 : reinterpret_cast<uint64_t>(range) + Memory::guard_bytes;
}

// A fresh mapping in the old one's place gives the pages back and reads as zero when it is used again.
bool return_range(uint64_t address, uint64_t bytes) {
    return mmap(pointer(address), bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) !=
           MAP_FAILED;
}

uint64_t round_up(uint64_t bytes, uint64_t page) {
    return (bytes + page - 1) / page * page;
}

// What is mapped of an allocation: its bytes and the tail behind them.
uint64_t mapped(uint64_t bytes, uint64_t page) {
    return bytes == 0 ? 0 : round_up(bytes + Memory::tail_bytes, page);
}

// The pages and the gap behind them. An allocation of no bytes still has an address of its own.
uint64_t footprint(uint64_t bytes, uint64_t page) {
    return std::max(mapped(bytes, page), page) + page;
}

// First element that starts past `address`.
template <class List>
auto after(List& list, uint64_t address) {
    return std::ranges::upper_bound(list, address, {}, &Allocation::address);
}

} // namespace

Memory::Memory(uint64_t reserve) {
    const uint64_t page = page_bytes();
    constexpr uint64_t most = uint64_t{1} << 47U;
    for (uint64_t bytes = round_up(std::clamp(reserve, page, most), page); bytes >= page;
         bytes = bytes / 2 / page * page) {
        base_ = reserve_range(bytes);
        if (base_ != 0) {
            reserved_ = bytes;
            break;
        }
    }
    next_ = base_;
}

Memory::~Memory() {
    if (reserved_ != 0)
        munmap(pointer(base_ - guard_bytes), reserved_ + 2 * guard_bytes);
}

std::expected<uint64_t, std::string> Memory::allocate(uint64_t bytes, std::string label) {
    const uint64_t page = page_bytes();
    const uint64_t end = base_ + reserved_;
    uint64_t left = end - next_;
    for (const Allocation& range : free_)
        left = std::max(left, range.bytes);
    const auto refuse = [&](const char* why) {
        return std::unexpected(
            fmt::format("cannot allocate {} bytes for {}: {} ({} bytes in one piece are left of {})", bytes,
                        label.empty() ? "a buffer" : label, why,
                        left > page + tail_bytes ? left - page - tail_bytes : 0, reserved_));
    };
    if (bytes > reserved_ || footprint(bytes, page) > left)
        return refuse("the memory arena is full");

    const uint64_t needed = footprint(bytes, page);
    const auto reused =
        std::ranges::find_if(free_, [&](const Allocation& range) { return range.bytes >= needed; });
    const uint64_t address = reused != free_.end() ? reused->address : next_;
    if (bytes != 0 && mprotect(pointer(address), mapped(bytes, page), PROT_READ | PROT_WRITE) != 0)
        return refuse(std::strerror(errno));
    if (bytes >= large_bytes)
        madvise(pointer(address), mapped(bytes, page), MADV_HUGEPAGE); // only advice

    if (reused == free_.end()) {
        next_ += needed;
    } else if (reused->bytes == needed) {
        free_.erase(reused);
    } else {
        reused->address += needed;
        reused->bytes -= needed;
    }
    allocations_.insert(after(allocations_, address), {address, bytes, std::move(label)});
    return address;
}

void Memory::free(uint64_t address) {
    auto found = after(allocations_, address);
    if (found == allocations_.begin())
        return;
    --found;
    if (found->address != address)
        return;
    Allocation range{address, footprint(found->bytes, page_bytes()), {}};
    // A range that the system does not take back still holds its old bytes: it is not used again.
    const bool returned = return_range(range.address, range.bytes);
    allocations_.erase(found);
    if (!returned)
        return;

    auto next = after(free_, address);
    if (next != free_.end() && address + range.bytes == next->address) {
        range.bytes += next->bytes;
        next = free_.erase(next);
    }
    if (next != free_.begin() && std::prev(next)->address + std::prev(next)->bytes == address) {
        --next;
        range.address = next->address;
        range.bytes += next->bytes;
        next = free_.erase(next);
    }
    if (range.address + range.bytes == next_)
        next_ = range.address;
    else
        free_.insert(next, std::move(range));
}

const Allocation* Memory::find(uint64_t address, uint64_t bytes) const {
    auto found = after(allocations_, address);
    if (found == allocations_.begin())
        return nullptr;
    --found;
    // Differences, never sums: an access at the top of the address space must not wrap into an allocation.
    const uint64_t offset = address - found->address;
    return offset <= found->bytes && bytes <= found->bytes - offset ? &*found : nullptr;
}

const Allocation* Memory::find_across(uint64_t address, uint64_t bytes) const {
    const Allocation* const found = find(address, 1);
    if (found == nullptr)
        return nullptr;
    const uint64_t inside = found->bytes - (address - found->address);
    return bytes > inside && bytes - inside <= tail_bytes ? found : nullptr;
}

} // namespace visor::machine
