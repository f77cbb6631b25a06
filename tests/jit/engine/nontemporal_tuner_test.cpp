#include "jit/engine/nontemporal_tuner.h"

#include <gtest/gtest.h>

#include <array>

namespace visor::jit {
namespace {

constexpr uint64_t phase = 100'000; // nanoseconds

// The variants of the five phases and after them, given the time of a group for each variant.
std::array<bool, 7> ways(uint64_t ordinary, uint64_t is_nontemporal) {
    NontemporalTuner trial;
    std::array<bool, 7> tried{};
    for (bool& one : tried) {
        one = trial.is_nontemporal();
        const uint64_t each = one ? is_nontemporal : ordinary;
        trial.record(each * (phase / each + 1), phase / each + 1);
    }
    return tried;
}

TEST(NontemporalTuner, BothWaysAreTriedAndTheBetterOneIsTaken) {
    EXPECT_EQ(ways(1000, 700), (std::array{false, true, false, true, false, true, true}));
    EXPECT_EQ(ways(700, 1000), (std::array{false, true, false, true, false, false, false}));
}

TEST(NontemporalTuner, TheBeginningDoesNotCount) {
    NontemporalTuner trial;
    trial.record(phase, 1'000'000); // as if it were fast
    for (const uint64_t each : {80U, 100U, 80U, 100U})
        trial.record(phase, phase / each);
    EXPECT_TRUE(trial.is_nontemporal());
}

TEST(NontemporalTuner, OneSlowPhaseDoesNotDecide) {
    NontemporalTuner trial;
    for (const uint64_t each : {100U, 900U, 100U, 80U, 100U})
        trial.record(phase, phase / each);
    EXPECT_TRUE(trial.is_nontemporal());
}

TEST(NontemporalTuner, ShortRunsArePutTogether) {
    NontemporalTuner trial;
    for (int k = 0; k < 9; ++k)
        trial.record(phase / 10, 1);
    EXPECT_FALSE(trial.is_nontemporal());
    trial.record(phase / 10, 1);
    EXPECT_TRUE(trial.is_nontemporal());
}

} // namespace
} // namespace visor::jit
