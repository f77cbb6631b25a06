// Listens to a launch for what makes its result a matter of luck: places that one work-item writes and
// another uses without a barrier between them, local memory that is read before it is written, accesses
// outside. It says that something of the kind happened, not that it is wrong; a disagreement on such a launch
// proves nothing.
#pragma once

#include "launch/bind.h"
#include "machine/watch.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace visor::corpus {

class Hazards : public machine::Watcher {
public:
    // Of a launch with these buffers; their content is what it starts from.
    explicit Hazards(std::span<const launch::Buffer> buffers);

    void memory(const machine::MemoryEvent& event) override;
    void undefined(const machine::UndefinedEvent& event) override;
    void barrier_signalled(const machine::Thread& thread, const PreparedInstruction& instruction,
                           int barrier) override;
    void barrier_released(const machine::Thread& any, int barrier) override;

    bool outside = false;        // of a surface
    bool race = false;           // between work-items
    bool shared_atomics = false; // of several work-items on one place: their order may show
    bool uninitialised = false;  // local memory
    bool divergent = false;      // a barrier that some work-items of the group do not come to

private:
    // What happened to a byte: by whom (0: nobody, UINT32_MAX: several), in which group and phase between
    // barriers.
    struct Use {
        uint32_t item = 0;
        uint32_t phase = 0;
        uint64_t group = 0;
    };
    struct Cell {
        Use write;
        Use read;
        bool atomic = false; // the last write
        std::byte value{};
    };
    struct Region {
        uint64_t address = 0;
        std::vector<Cell> cells;
    };

    void touch(Region& region, uint64_t offset, uint32_t bytes, const std::byte* data, const Use& use,
               machine::AccessKind kind, bool local);
    void note(Cell& cell, std::byte now, const Use& use, machine::AccessKind kind);
    Region* region_of(uint64_t address);

    std::vector<Region> regions_;
    Region local_;
    uint64_t group_ = UINT64_MAX;
    uint32_t phase_ = 0;
};

} // namespace visor::corpus
