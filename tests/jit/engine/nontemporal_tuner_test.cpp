#include "jit/engine/nontemporal_tuner.h"

#include <gtest/gtest.h>

#include <array>

namespace visor::jit {
namespace {

constexpr uint64_t phase = 100'000; // nanoseconds

// Which way of five phases and what comes behind them, where ways take so long a group.
std::array<bool, 7> ways(uint64_t ordinary, uint64_t past) {
    NontemporalTuner trial;
    std::array<bool, 7> tried{};
    for (bool& one : tried) {
        one = trial.past();
        const uint64_t each = one ? past : ordinary;
        trial.took(each * (phase / each + 1), phase / each + 1);
    }
    return tried;
}

TEST(NontemporalTuner, BothWaysAreTriedAndTheBetterOneIsTaken) {
    EXPECT_EQ(ways(1000, 700), (std::array{false, true, false, true, false, true, true}));
    EXPECT_EQ(ways(700, 1000), (std::array{false, true, false, true, false, false, false}));
}

TEST(NontemporalTuner, TheBeginningDoesNotCount) {
    NontemporalTuner trial;
    trial.took(phase, 1'000'000); // as if it were quick
    for (const uint64_t each : {80U, 100U, 80U, 100U})
        trial.took(phase, phase / each);
    EXPECT_TRUE(trial.past());
}

TEST(NontemporalTuner, OneSlowPhaseDoesNotDecide) {
    NontemporalTuner trial;
    for (const uint64_t each : {100U, 900U, 100U, 80U, 100U})
        trial.took(phase, phase / each);
    EXPECT_TRUE(trial.past());
}

TEST(NontemporalTuner, ShortRunsArePutTogether) {
    NontemporalTuner trial;
    for (int k = 0; k < 9; ++k)
        trial.took(phase / 10, 1);
    EXPECT_FALSE(trial.past());
    trial.took(phase / 10, 1);
    EXPECT_TRUE(trial.past());
}

} // namespace
} // namespace visor::jit
