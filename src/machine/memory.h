// The memory of a context: one reserved arena that holds every allocation. A kernel's flat addresses are host
// addresses inside the arena, so they need no translation. Nothing outside live allocations is accessed.
#pragma once

#include "machine/page_index.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace visor::machine {

// What an allocation is to the application.
enum class AllocationKind : uint8_t {
    other, // a buffer, an image, internal memory of a launch
    svm,   // OpenCL's shared virtual memory
    // Intel's unified shared memory:
    usm_host,
    usm_device,
    usm_shared,
};

struct Allocation {
    uint64_t address = 0;
    uint64_t bytes = 0;
    std::string label; // for messages: "arg 2 `out`"
    AllocationKind kind = AllocationKind::other;
};

// Thread-safe: threads allocate, free and look up concurrently, and lookups are lock-free. An allocation must
// not be looked up while it is freed, except by copy_of: the caller of free ensures that no kernel runs. The
// result of a lookup is valid until its allocation is freed.
class Memory {
public:
    static constexpr uint64_t default_reserve = uint64_t{256} << 30U;
    // Readable bytes after every allocation; no flat access may begin there. Compiled code loads whole blocks
    // and vectors where fewer bytes are used (ruling 145). Zeros, but a store to a surface's last dword may
    // set the first three.
    static constexpr uint64_t tail_bytes = 15;
    // Unmapped guards at both ends of the arena, which separate it from the process's other memory.
    static constexpr uint64_t guard_bytes = uint64_t{1} << 20U;

    // Reserves address space, halved until the system grants it.
    explicit Memory(uint64_t reserve = default_reserve);
    ~Memory();
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    Memory(Memory&&) = delete;
    Memory& operator=(Memory&&) = delete;

    // Zero-filled, page-aligned, followed by at least one unmapped page. Error: the requested and the
    // remaining bytes.
    [[nodiscard]] std::expected<uint64_t, std::string> allocate(uint64_t bytes, std::string label,
                                                                AllocationKind kind = AllocationKind::other);
    void free(uint64_t address);

    // A copy of the live allocation that contains the address, for callers that cannot prevent its release.
    [[nodiscard]] std::optional<Allocation> copy_of(uint64_t address) const;

    // From now on quarantines the last `count` freed ranges: they are reused only when no other memory is
    // left, so that stale pointers fault.
    void quarantine(size_t count);
    // The freed allocation that contained the address, among the last some hundred; nothing if a live one
    // contains it.
    [[nodiscard]] std::optional<Allocation> freed_at(uint64_t address) const;

    // The live allocation that holds all of [address, address + bytes); nullptr when none does (also on
    // wrap-around).
    [[nodiscard]] const Allocation* find(uint64_t address, uint64_t bytes) const;

    // The live allocation that [address, address + bytes) begins in and passes the end of by no more than
    // `tail_bytes`; nullptr when there is none.
    [[nodiscard]] const Allocation* find_across(uint64_t address, uint64_t bytes) const;

    // Host view of a live allocation's bytes. `address` must come from allocate().
    [[nodiscard]] static std::byte* host(uint64_t address) { return reinterpret_cast<std::byte*>(address); }

    [[nodiscard]] std::vector<Allocation> allocations() const; // those alive now, by ascending addresses
    [[nodiscard]] size_t count() const;                        // of them
    [[nodiscard]] uint64_t reserved() const { return reserved_; }
    [[nodiscard]] uint64_t base() const { return base_; } // the arena's start
    // Whether the arena contains the address, allocated or not.
    [[nodiscard]] bool contains(uint64_t address) const { return address - base_ < reserved_; }

private:
    struct Range {
        uint64_t address = 0;
        uint64_t bytes = 0;
    };

    // Under the lock:
    [[nodiscard]] uint64_t largest_piece() const;
    [[nodiscard]] uint64_t take(uint64_t bytes);
    void give_back(Range range);
    void release_quarantined(size_t most); // of quarantine, until it holds so many

    uint64_t reserved_ = 0;
    uint64_t base_ = 0;
    PageIndex index_;

    mutable std::mutex lock_;                    // guards the members below
    uint64_t next_ = 0;                          // bump pointer; freed ranges are reused first
    std::map<uint64_t, Allocation> allocations_; // by address; a lookup's result does not move
    std::vector<Range> free_;                    // by address
    size_t quarantined_most_ = 0;
    std::deque<Range> quarantined_;                               // the oldest first
    std::deque<std::map<uint64_t, Allocation>::node_type> freed_; // likewise
};

// Remembers the allocation that an access site last hit, so that a check is one compare.
struct AllocationCache {
    uint64_t low = 0;
    uint64_t high = 0;

    // Whether the whole access lies in one live allocation.
    [[nodiscard]] bool holds(const Memory& memory, uint64_t address, uint64_t bytes) {
        if (address >= low && address < high && bytes <= high - address)
            return true;
        const Allocation* found = memory.find(address, bytes);
        if (found == nullptr)
            return false;
        low = found->address;
        high = found->address + found->bytes;
        return true;
    }
};

// The range of addresses that passes an access site's range check: the live allocation that it last hit,
// less the site's bytes at its end. Empty at first.
struct AccessSite {
    uint64_t low = 1;
    uint64_t last = 0;
};

} // namespace visor::machine
