// Moments of a launch to go back to. Each keeps the group that ran, and what later moments changed in global
// memory.
#pragma once

#include "machine/group_checkpoint.h"
#include "machine/memory.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace visor::debug {

class History {
public:
    // `budget`: bytes of all that is kept.
    explicit History(uint64_t budget) : budget_(budget) {}

    // Before the first moment of a launch. False: its memory alone is larger than the budget, nothing is
    // kept.
    [[nodiscard]] bool begin(const machine::Memory& memory);
    [[nodiscard]] bool is_on() const { return memory_ != nullptr; }

    // The run has come to `clock`, which is next(): a moment is made of it, or it is one already. Where the
    // budget does not hold all, every second one goes, and interval() doubles.
    void save(uint64_t clock, const machine::GroupState& state);
    // Where the next moment is to be.
    [[nodiscard]] uint64_t next() const;
    // The last moment at or before `clock`, there or back: memory and `state` become what they were. Returns
    // its clock. There is one.
    uint64_t restore(uint64_t clock, machine::GroupState& state);
    // The state was changed at `clock`: later moments are no longer true, and this is one.
    void change(uint64_t clock, const machine::GroupState& state);
    // The clock of the last moment at or before this one; 0: there is none.
    [[nodiscard]] uint64_t moment_at(uint64_t clock) const;
    [[nodiscard]] uint64_t first() const { return moments_.empty() ? 0 : moments_.front().clock; }
    // Clocks between two moments.
    [[nodiscard]] uint64_t interval() const { return interval_; }
    [[nodiscard]] uint64_t bytes() const { return bytes_; }
    [[nodiscard]] size_t count() const { return moments_.size(); }

private:
    static constexpr uint64_t page_bytes = 4096;
    // Pages that the run changed between a moment and the one before, by address: as they were before it, of
    // a moment that lies ahead as they are then.
    using Pages = std::map<uint64_t, std::vector<std::byte>>;
    struct Moment {
        uint64_t clock = 0;
        std::unique_ptr<machine::GroupCheckpoint> group;
        Pages pages;
    };
    struct Shadow { // of an allocation, at the moment `at_`
        uint64_t address = 0;
        std::vector<std::byte> bytes;
    };

    // Calls with each page that differs from its shadow: its address, its bytes now, its shadow.
    template <class Visit>
    void each_change(const Visit& visit);
    enum class Where : uint8_t { shadows, memory_too };
    void swap(Pages& pages, Where where);
    void add(uint64_t clock, const machine::GroupState& state);
    void drop_later();
    void thin();

    uint64_t budget_;
    uint64_t interval_ = 500'000;
    uint64_t bytes_ = 0;
    const machine::Memory* memory_ = nullptr;
    std::vector<Shadow> shadows_;
    std::vector<Moment> moments_;
    size_t at_ = 0; // the last moment that the run has passed
};

} // namespace visor::debug
