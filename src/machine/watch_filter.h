// Watch filter: which events a watcher wants, where that is less than all. An engine whose code can report
// that much need not leave the run to the interpreter. A watcher without a filter gets every event.
#pragma once

#include "machine/memory.h"

#include <cstdint>

namespace visor {
struct PreparedInstruction;
} // namespace visor

namespace visor::machine {

struct Thread;

struct Subjects {
    bool outside = false;   // accesses that leave what they are for, indirect operands that leave a variable
    bool conflicts = false; // what lanes of a message read, and writes of lanes that do not lie apart
    bool alignment = false; // addresses that a page wants aligned

    bool operator==(const Subjects&) const = default;
    [[nodiscard]] constexpr bool any() const { return outside || conflicts || alignment; }
    // As a number, and back.
    static constexpr uint32_t count = 8;
    [[nodiscard]] constexpr uint32_t bits() const {
        return (outside ? 1U : 0U) | (conflicts ? 2U : 0U) | (alignment ? 4U : 0U);
    }
    [[nodiscard]] static constexpr Subjects of(uint32_t bits) {
        return {.outside = (bits & 1U) != 0, .conflicts = (bits & 2U) != 0, .alignment = (bits & 4U) != 0};
    }
};

// Bytes of flat memory: none when `bytes` is 0.
struct AddressRange {
    uint64_t address = 0;
    uint64_t bytes = 0;
};

// Knows beforehand of which flat accesses a listener has nothing to say, while a launch runs.
class FlatSilence {
public:
    FlatSilence() = default;
    virtual ~FlatSilence() = default;
    FlatSilence(const FlatSilence&) = delete;
    FlatSilence& operator=(const FlatSilence&) = delete;
    FlatSilence(FlatSilence&&) = delete;
    FlatSilence& operator=(FlatSilence&&) = delete;

    // A part of the allocation: of accesses of this thread's instruction whose lanes all lie in it nothing is
    // said, however often they come.
    [[nodiscard]] virtual AddressRange silent_part(const Thread& thread,
                                                   const PreparedInstruction& instruction,
                                                   const Allocation& allocation, uint64_t address) const = 0;
};

struct WatchFilter {
    Subjects subjects;
    const FlatSilence* flat = nullptr; // of subjects.outside; nullptr: each flat access is told
};

} // namespace visor::machine
