// The memory of a context: one reserved arena that holds every allocation. A kernel's flat addresses are host
// addresses inside the arena, so that no translation is needed; what lies outside every live allocation is
// never touched.
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
    other, // a buffer, an image, what a launch has for itself
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

// Thread-safe: threads allocate, free and look up at the same time, and a lookup waits for nobody. Only what
// is being freed may nobody look up meanwhile, but by copy_of: who frees sees to it that no kernel runs,
// which may look anywhere. What a lookup gave is valid until that allocation is freed.
class Memory {
public:
    static constexpr uint64_t default_reserve = uint64_t{256} << 30U;
    // Bytes behind every allocation that can be read, although no flat access may begin there: compiled code
    // loads whole blocks and vectors where fewer bytes are wanted (ruling 145). Zeros, but for what a store
    // to a surface's last dword left in the first three.
    static constexpr uint64_t tail_bytes = 15;
    // In front of the first allocation's place and behind the last one's, never mapped: what else the process
    // has lies no nearer.
    static constexpr uint64_t guard_bytes = uint64_t{1} << 20U;

    // Reserves address space, halved until the system grants it.
    explicit Memory(uint64_t reserve = default_reserve);
    ~Memory();
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    Memory(Memory&&) = delete;
    Memory& operator=(Memory&&) = delete;

    // Zero-filled, page-aligned, with an unmapped page behind it at least. Error: what was asked for and what
    // is left.
    [[nodiscard]] std::expected<uint64_t, std::string> allocate(uint64_t bytes, std::string label,
                                                                AllocationKind kind = AllocationKind::other);
    void free(uint64_t address);

    // A copy of the live allocation that holds the address: for who cannot keep others from freeing it.
    [[nodiscard]] std::optional<Allocation> copy_of(uint64_t address) const;

    // From now on the last `count` ranges that were freed are used again only where nothing else is left, so
    // that a stale pointer finds nobody's bytes.
    void quarantine(size_t count);
    // What the address belonged to last, of the latest some hundred that were freed; nothing where it lies in
    // a live allocation.
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
    [[nodiscard]] uint64_t base() const { return base_; } // where they begin
    // Whether the address is one of the arena's, allocated or not.
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
    void let_out(size_t most); // of quarantine, until it holds so many

    uint64_t reserved_ = 0;
    uint64_t base_ = 0;
    PageIndex index_;

    mutable std::mutex lock_;                    // what follows
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

// The range of first addresses that an access site of generated code may use without asking: inside the live
// allocation that it last hit, as far from its end as the site's bytes. None at first.
struct AccessSite {
    uint64_t low = 1;
    uint64_t last = 0;
};

} // namespace visor::machine
