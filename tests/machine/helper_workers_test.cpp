#include "machine/helper_workers.h"

#include <gtest/gtest.h>

#include <latch>
#include <set>

namespace visor::machine {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

// To wake a thread takes 1 microsecond: 30 are to be done for each.
class AWakeHeuristic : public ::testing::Test {
protected:
    WakeHeuristic::Decision look(nanoseconds now, uint64_t done, uint64_t left,
                                 nanoseconds waking = microseconds(1)) {
        return heuristic_.look(now, done, left, waking);
    }

private:
    WakeHeuristic heuristic_{5};
};

TEST_F(AWakeHeuristic, BeginsWithAFewGroups) {
    const auto decision = look(microseconds(1'000'000), 0, 1'000'000);
    EXPECT_EQ(decision.helpers, 0U);
    EXPECT_EQ(decision.groups, 8U);
}

TEST_F(AWakeHeuristic, CountsTheFirstGroupsHalf) {
    look(microseconds(100), 0, 128);
    const auto decision = look(microseconds(116), 8, 120); // 2 microseconds each
    EXPECT_EQ(decision.helpers, 4U);                       // 120 microseconds are left
    EXPECT_EQ(decision.groups, 8U);                        // five would take ten microseconds
}

TEST_F(AWakeHeuristic, LaterForgetsTheFirstGroups) {
    look(microseconds(0), 0, 256);
    EXPECT_EQ(look(microseconds(800), 8, 248, microseconds(1000)).helpers, 0U); // 100 each; 12.4 ms are left
    EXPECT_EQ(look(microseconds(808), 16, 240, microseconds(3)).helpers, 2U);   // 1 each; 240
    EXPECT_EQ(look(microseconds(840), 32, 224, microseconds(3)).helpers, 4U);   // 40 for 24; 373
    EXPECT_EQ(look(microseconds(840), 40, 216).helpers,
              5U); // 40 for 32; 270 would be enough for 9, there are 5
}

TEST_F(AWakeHeuristic, CallsNobodyWhereWakingTakesLong) {
    look(microseconds(0), 0, 256);
    EXPECT_EQ(look(microseconds(32), 8, 248, microseconds(40)).helpers, 0U);   // 496 left, 1200 wanted
    EXPECT_EQ(look(microseconds(64), 16, 240, microseconds(40)).helpers, 0U);  // 960 left
    EXPECT_EQ(look(microseconds(104), 24, 232, microseconds(40)).helpers, 0U); // 4.5 each, 1044 left
    EXPECT_EQ(look(microseconds(144), 32, 300, microseconds(40)).helpers, 1U); // 4.67 each, 1400 left
}

TEST_F(AWakeHeuristic, GoesOnLongerWhereGroupsAreShort) {
    look(nanoseconds(0), 0, 4096);
    EXPECT_EQ(look(nanoseconds(800), 8, 4088).groups, 16U);   // 100 would take ten microseconds
    EXPECT_EQ(look(nanoseconds(3200), 32, 4064).groups, 64U); // likewise
    EXPECT_EQ(look(nanoseconds(12800), 128, 3968).groups, 100U);
    EXPECT_EQ(look(nanoseconds(22800), 228, 160).groups, 48U); // an eighth of all
    EXPECT_EQ(look(nanoseconds(26800), 268, 0).groups, 100U);  // nothing is left to be worth anything
    EXPECT_EQ(look(nanoseconds(27600), 276, 0, nanoseconds(1)).helpers, 0U);
}

// A tenth of a microsecond each: there are 25 of them, and 30,000 would be worth a call.
TEST_F(AWakeHeuristic, LooksLessOftenWhereNobodyWillBeCalled) {
    const nanoseconds waking = microseconds(1000);
    look(nanoseconds(0), 0, 256);
    EXPECT_EQ(look(nanoseconds(800), 8, 248, waking).groups, 32U);
    EXPECT_EQ(look(nanoseconds(4000), 40, 216, waking).groups, 100U);  // ten microseconds
    EXPECT_EQ(look(nanoseconds(5600), 140, 116, waking).groups, 128U); // half of all
    // They take 1,000 times as long now.
    EXPECT_EQ(look(microseconds(205'600), 240, 10'000'000, waking).helpers, 5U);
}

TEST_F(AWakeHeuristic, TakesAClockThatStandsStill) {
    look(microseconds(7), 0, 100);
    const auto decision = look(microseconds(7), 8, 92);
    EXPECT_EQ(decision.helpers, 0U);
    EXPECT_EQ(decision.groups, 32U);
    EXPECT_EQ(look(microseconds(7), 8, 92).groups, 8U); // none done since
    EXPECT_EQ(look(microseconds(9), 16, 84, nanoseconds(0)).helpers, 5U);
}

TEST(HelperWorkers, AllComeAtOnceWhereAsked) {
    WorkerPool pool;
    std::mutex mutex;
    std::set<uint32_t> numbers;
    std::latch all(3); // the two of them and this one
    {
        HelperWorkers helpers(pool, 2, true, [&](uint32_t number) {
            all.arrive_and_wait();
            const std::lock_guard lock(mutex);
            numbers.insert(number);
        });
        EXPECT_FALSE(helpers.wake_if_worthwhile(0, WorkPartition(0, 1000, 1)).has_value());
        all.arrive_and_wait();
    }
    EXPECT_EQ(numbers, (std::set<uint32_t>{1, 2})); // they have ended
}

TEST(HelperWorkers, NobodyComesBeforeAGroupIsDone) {
    WorkerPool pool;
    bool came = false;
    {
        HelperWorkers helpers(pool, 1, false, [&](uint32_t) { came = true; });
        EXPECT_EQ(helpers.wake_if_worthwhile(0, WorkPartition(0, 1000, 1)), 8U);
    }
    EXPECT_FALSE(came);
}

TEST(HelperWorkers, ComeWhereMuchIsLeft) {
    WorkerPool pool;
    std::latch all(2);
    const WorkPartition many(0, uint64_t{1} << 40U, 1);
    HelperWorkers helpers(pool, 1, false, [&](uint32_t) { all.arrive_and_wait(); });
    EXPECT_TRUE(helpers.wake_if_worthwhile(0, many).has_value());
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ASSERT_FALSE(helpers.wake_if_worthwhile(8, many).has_value());
    all.arrive_and_wait();
}

} // namespace
} // namespace visor::machine
