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

    // A moment at `clock`, later than all others. Where the budget does not hold it every second one goes,
    // and interval() doubles.
    void save(uint64_t clock, const machine::GroupState& state);
    // The last moment at or before `clock`: memory and `state` become what they were, and what came after is
    // forgotten. Returns its clock. There is one.
    uint64_t restore(uint64_t clock, machine::GroupState& state);
    // The clock of the last moment at or before this one; 0: there is none.
    [[nodiscard]] uint64_t moment_at(uint64_t clock) const;
    [[nodiscard]] uint64_t first() const { return moments_.empty() ? 0 : moments_.front().clock; }
    // Clocks between two moments.
    [[nodiscard]] uint64_t interval() const { return interval_; }
    [[nodiscard]] uint64_t bytes() const { return bytes_; }
    [[nodiscard]] size_t count() const { return moments_.size(); }

private:
    static constexpr uint64_t page_bytes = 4096;
    // Pages as they were at the moment before this one, by address.
    using Pages = std::map<uint64_t, std::vector<std::byte>>;
    struct Moment {
        uint64_t clock = 0;
        std::unique_ptr<machine::GroupCheckpoint> group;
        Pages before;
    };
    struct Shadow { // of an allocation, at the last moment
        uint64_t address = 0;
        std::vector<std::byte> bytes;
    };

    // Calls with each page that differs from its shadow: its address, its bytes now, its shadow.
    template <class Visit>
    void each_change(const Visit& visit);
    void put(const Pages& pages);
    void thin();

    uint64_t budget_;
    uint64_t interval_ = 500'000;
    uint64_t bytes_ = 0;
    const machine::Memory* memory_ = nullptr;
    std::vector<Shadow> shadows_;
    std::vector<Moment> moments_;
};

} // namespace visor::debug
