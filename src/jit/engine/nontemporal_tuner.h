// Online tuning of non-temporal stores (target/nontemporal_stores.h): whether they are faster differs from
// machine to machine, also of one kind, and from hour to hour. A launch tries both variants with its first
// groups, and continues with the faster one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace visor::jit {

// One CPU thread's, of one launch.
class NontemporalTuner {
public:
    // Whether the next groups' stores are to be non-temporal.
    [[nodiscard]] bool past() const { return phase_ < phases ? is_past(phase_) : best_[1] < best_[0]; }

    // So long those groups took.
    void took(uint64_t nanoseconds, uint64_t groups) {
        if (phase_ == phases)
            return;
        nanoseconds_ += nanoseconds;
        groups_ += groups;
        if (nanoseconds_ < long_enough || groups_ == 0)
            return;
        if (phase_ != 0) { // whoever begins finds nothing in the caches
            double& best = best_[is_past(phase_) ? 1 : 0];
            best = std::min(best, static_cast<double>(nanoseconds_) / static_cast<double>(groups_));
        }
        ++phase_;
        nanoseconds_ = 0;
        groups_ = 0;
    }

private:
    static constexpr uint64_t long_enough = 100'000;
    static constexpr uint32_t phases = 5; // the first one does not count, then each way twice, in turn
    static constexpr double never = 1e300;
    static constexpr bool is_past(uint32_t phase) { return phase % 2 != 0; }

    uint32_t phase_ = 0;
    uint64_t nanoseconds_ = 0;
    uint64_t groups_ = 0;
    std::array<double, 2> best_{never, never}; // by group
};

} // namespace visor::jit
