// Watch filter: a subset of events that a watcher needs. An engine whose code can report that subset runs
// without the interpreter. A watcher without a filter gets every event.
#pragma once

#include "machine/memory.h"

#include <cstdint>

namespace visor {
struct PreparedInstruction;
} // namespace visor

namespace visor::machine {

struct Thread;

struct EventKinds {
    bool outside = false;   // out-of-bounds accesses, indirect operands outside their variable
    bool conflicts = false; // reads of a message's lanes, and overlapping writes of lanes
    bool alignment = false; // misaligned addresses, where a page requires alignment

    bool operator==(const EventKinds&) const = default;
    [[nodiscard]] constexpr bool any() const { return outside || conflicts || alignment; }
    // Serializes and deserializes.
    static constexpr uint32_t count = 8;
    [[nodiscard]] constexpr uint32_t bits() const {
        return (outside ? 1U : 0U) | (conflicts ? 2U : 0U) | (alignment ? 4U : 0U);
    }
    [[nodiscard]] static constexpr EventKinds of(uint32_t bits) {
        return {.outside = (bits & 1U) != 0, .conflicts = (bits & 2U) != 0, .alignment = (bits & 4U) != 0};
    }
};

// Bytes of flat memory: none when `bytes` is 0.
struct AddressRange {
    uint64_t address = 0;
    uint64_t bytes = 0;
};

// A watcher's filter of flat accesses: knows, while a launch runs, which of them need no event.
class FlatAccessFilter {
public:
    FlatAccessFilter() = default;
    virtual ~FlatAccessFilter() = default;
    FlatAccessFilter(const FlatAccessFilter&) = delete;
    FlatAccessFilter& operator=(const FlatAccessFilter&) = delete;
    FlatAccessFilter(FlatAccessFilter&&) = delete;
    FlatAccessFilter& operator=(FlatAccessFilter&&) = delete;

    // A range of the allocation: accesses of this thread's instruction with all lanes in it need no event.
    [[nodiscard]] virtual AddressRange unreported_range(const Thread& thread,
                                                        const PreparedInstruction& instruction,
                                                        const Allocation& allocation,
                                                        uint64_t address) const = 0;
};

struct WatchFilter {
    EventKinds events;
    const FlatAccessFilter* flat = nullptr; // with events.outside; nullptr: every flat access is reported
};

} // namespace visor::machine
