// Allocates in the arena, and finds the allocation of an address. Allocations are whole pages followed by an
// unmapped one, and the arena has a guard at both ends, so stray host accesses trap, too. It knows nothing of
// kernels.
#include "machine/memory.h"

#include "machine/arena_address.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace visor::machine {
namespace {

// The preferred base: far from the system's mappings, and below programs and their heaps, so that a kernel's
// addresses are easy to recognise. A hint to mmap.
constexpr uint64_t preferred_base = 0x2000'0000'0000;
constexpr uint64_t slot_bytes = 0x0080'0000'0000;
constexpr uint64_t arena_slots = 64;

// Larger allocations use huge pages, which save TLB misses of kernels that stream through them. Internal
// allocations, such as printf's 4 MiB, are smaller: they are sparsely used, and a huge page is cleared as a
// whole.
constexpr uint64_t large_bytes = uint64_t{8} << 20U;

uint64_t page_bytes() {
    return static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

void* pointer(uint64_t address) {
    return Memory::host(address);
}

// Inaccessible address space: uses nothing until an allocation makes its pages writable; the system counts
// them only then. So MAP_NORESERVE, which would permit any size, is not needed.
uint64_t reserve_range(uint64_t bytes) {
    static std::atomic<uint64_t> count{
        0}; // of arenas: later arenas have other addresses, so stale pointers fault
    const uint64_t preferred = preferred_base + count++ % arena_slots * slot_bytes;
    void* const range = mmap(pointer(preferred - Memory::guard_bytes), bytes + 2 * Memory::guard_bytes,
                             PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return range == MAP_FAILED ? 0 : reinterpret_cast<uint64_t>(range) + Memory::guard_bytes;
}

// Replaces the mapping, which returns its pages and reads as zero later. At the process's limit of mappings
// that fails, but the old one's pages can still be released.
bool return_range(uint64_t address, uint64_t bytes) {
    if (mmap(pointer(address), bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) !=
        MAP_FAILED)
        return true;
    return madvise(pointer(address), bytes, MADV_DONTNEED) == 0 &&
           mprotect(pointer(address), bytes, PROT_NONE) == 0;
}

uint64_t round_up(uint64_t bytes, uint64_t page) {
    return (bytes + page - 1) / page * page;
}

// The mapped bytes of an allocation: its own and the tail.
uint64_t mapped(uint64_t bytes, uint64_t page) {
    return bytes == 0 ? 0 : round_up(bytes + Memory::tail_bytes, page);
}

// The pages and the gap after them. An empty allocation still has a unique address.
uint64_t footprint(uint64_t bytes, uint64_t page) {
    return std::max(mapped(bytes, page), page) + page;
}

// As much of `preferred` as the system grants.
uint64_t reserve_most(uint64_t preferred, uint64_t& granted) {
    const uint64_t page = page_bytes();
    constexpr uint64_t most = uint64_t{1} << 47U;
    for (uint64_t bytes = round_up(std::clamp(preferred, page, most), page); bytes >= page;
         bytes = bytes / 2 / page * page) {
        if (const uint64_t base = reserve_range(bytes); base != 0) {
            granted = bytes;
            return base;
        }
    }
    granted = 0;
    return 0;
}

} // namespace

Memory::Memory(uint64_t reserve)
    : base_(reserve_most(reserve, reserved_)), index_(base_, reserved_, page_bytes()), next_(base_) {}

Memory::~Memory() {
    if (reserved_ != 0)
        munmap(pointer(base_ - guard_bytes), reserved_ + 2 * guard_bytes);
}

bool is_unmapped_arena_address(uint64_t address) {
    if (address - preferred_base >= arena_slots * slot_bytes)
        return false;
    unsigned char is_resident = 0;
    const uint64_t page = page_bytes();
    return mincore(pointer(address / page * page), page, &is_resident) != 0 && errno == ENOMEM;
}

uint64_t Memory::largest_piece() const {
    uint64_t most = base_ + reserved_ - next_;
    for (const Range& range : free_)
        most = std::max(most, range.bytes);
    return most;
}

// Requires a free piece of that size.
uint64_t Memory::take(uint64_t bytes) {
    const auto found = std::ranges::find_if(free_, [&](const Range& range) { return range.bytes >= bytes; });
    if (found == free_.end())
        return std::exchange(next_, next_ + bytes);
    const uint64_t address = found->address;
    found->address += bytes;
    found->bytes -= bytes;
    if (found->bytes == 0)
        free_.erase(found);
    return address;
}

void Memory::give_back(Range range) {
    auto next = std::ranges::upper_bound(free_, range.address, {}, &Range::address);
    if (next != free_.end() && range.address + range.bytes == next->address) {
        range.bytes += next->bytes;
        next = free_.erase(next);
    }
    if (next != free_.begin() && std::prev(next)->address + std::prev(next)->bytes == range.address) {
        --next;
        range.address = next->address;
        range.bytes += next->bytes;
        next = free_.erase(next);
    }
    if (range.address + range.bytes == next_)
        next_ = range.address;
    else
        free_.insert(next, range);
}

void Memory::release_quarantined(size_t most) {
    for (; quarantined_.size() > most; quarantined_.pop_front())
        give_back(quarantined_.front());
}

void Memory::quarantine(size_t count) {
    const std::lock_guard guard(lock_);
    quarantined_most_ = count;
    release_quarantined(count);
}

std::expected<uint64_t, std::string> Memory::allocate(uint64_t bytes, std::string label,
                                                      AllocationKind kind) {
    const uint64_t page = page_bytes();
    const std::lock_guard guard(lock_);
    const auto refuse = [&](const char* why) {
        const uint64_t left = largest_piece();
        return std::unexpected(
            fmt::format("cannot allocate {} bytes for {}: {} ({} bytes in one piece are left of {})", bytes,
                        label.empty() ? "a buffer" : label, why,
                        left > page + tail_bytes ? left - page - tail_bytes : 0, reserved_));
    };
    // Each allocation uses two mappings. The system's limit is about 65,000 for a process, and others need
    // some.
    constexpr size_t most_allocations = 30'000;
    if (allocations_.size() >= most_allocations)
        return refuse("there are too many allocations");
    const uint64_t needed = bytes > reserved_ ? UINT64_MAX : footprint(bytes, page);
    if (needed > largest_piece())
        release_quarantined(0);
    if (needed > largest_piece())
        return refuse("the memory arena is full");

    const uint64_t address = take(needed);
    if (bytes != 0 && mprotect(pointer(address), mapped(bytes, page), PROT_READ | PROT_WRITE) != 0) {
        const int problem = errno;
        give_back({address, needed});
        return refuse(std::strerror(problem));
    }
    if (bytes >= large_bytes)
        madvise(pointer(address), mapped(bytes, page), MADV_HUGEPAGE); // only advice
    const auto [made, inserted] =
        allocations_.insert_or_assign(address, Allocation{address, bytes, std::move(label), kind});
    index_.set(address, needed, &made->second);
    return address;
}

void Memory::free(uint64_t address) {
    constexpr size_t most_remembered = 512;
    const std::lock_guard guard(lock_);
    const auto found = allocations_.find(address);
    if (found == allocations_.end())
        return;
    const Range range{address, footprint(found->second.bytes, page_bytes())};
    index_.set(range.address, range.bytes, nullptr);
    freed_.push_back(allocations_.extract(found));
    if (freed_.size() > most_remembered)
        freed_.pop_front();
    // A range that could not be unmapped still has its old bytes: it is not reused. The description stays in
    // freed_, since a concurrent lookup may still read it.
    if (!return_range(range.address, range.bytes))
        return;
    quarantined_.push_back(range);
    release_quarantined(quarantined_most_);
}

std::optional<Allocation> Memory::copy_of(uint64_t address) const {
    const std::lock_guard guard(lock_);
    const Allocation* const found = find(address, 1); // nobody frees it meanwhile
    return found == nullptr ? std::nullopt : std::optional(*found);
}

std::optional<Allocation> Memory::freed_at(uint64_t address) const {
    if (index_.at(address) != nullptr)
        return std::nullopt;
    const std::lock_guard guard(lock_);
    for (size_t k = freed_.size(); k-- > 0;)
        if (const Allocation& one = freed_[k].mapped();
            address - one.address < std::max<uint64_t>(one.bytes, 1))
            return one;
    return std::nullopt;
}

std::vector<Allocation> Memory::allocations() const {
    const std::lock_guard guard(lock_);
    std::vector<Allocation> all;
    all.reserve(allocations_.size());
    for (const auto& [address, allocation] : allocations_)
        all.push_back(allocation);
    return all;
}

size_t Memory::count() const {
    const std::lock_guard guard(lock_);
    return allocations_.size();
}

const Allocation* Memory::find(uint64_t address, uint64_t bytes) const {
    const Allocation* const found = index_.at(address);
    if (found == nullptr)
        return nullptr;
    // Differences, never sums: an access at the top of the address space must not wrap into an allocation.
    const uint64_t offset = address - found->address;
    return offset <= found->bytes && bytes <= found->bytes - offset ? found : nullptr;
}

const Allocation* Memory::find_across(uint64_t address, uint64_t bytes) const {
    const Allocation* const found = find(address, 1);
    if (found == nullptr)
        return nullptr;
    const uint64_t inside = found->bytes - (address - found->address);
    return bytes > inside && bytes - inside <= tail_bytes ? found : nullptr;
}

} // namespace visor::machine
