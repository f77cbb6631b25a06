// Online tuning of non-temporal stores (target/nontemporal_stores.h): whether they are faster depends on the
// machine and its load. A launch measures both variants with its first groups and continues with the faster
// one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace visor::jit {

// State of one CPU thread in one launch.
class NontemporalTuner {
public:
    // Whether the next groups use non-temporal stores.
    [[nodiscard]] bool is_nontemporal() const {
        return phase_ < phases ? is_nontemporal_phase(phase_) : best_[1] < best_[0];
    }

    // Records the time that the last groups took.
    void record(uint64_t nanoseconds, uint64_t groups) {
        if (phase_ == phases)
            return;
        nanoseconds_ += nanoseconds;
        groups_ += groups;
        if (nanoseconds_ < long_enough || groups_ == 0)
            return;
        if (phase_ != 0) { // the first phase has cold caches
            double& best = best_[is_nontemporal_phase(phase_) ? 1 : 0];
            best = std::min(best, static_cast<double>(nanoseconds_) / static_cast<double>(groups_));
        }
        ++phase_;
        nanoseconds_ = 0;
        groups_ = 0;
    }

private:
    static constexpr uint64_t long_enough = 100'000;
    static constexpr uint32_t phases = 5; // a discarded warm-up, then each variant twice, alternating
    static constexpr double never = 1e300;
    static constexpr bool is_nontemporal_phase(uint32_t phase) { return phase % 2 != 0; }

    uint32_t phase_ = 0;
    uint64_t nanoseconds_ = 0;
    uint64_t groups_ = 0;
    std::array<double, 2> best_{never, never}; // nanoseconds of a group
};

} // namespace visor::jit
