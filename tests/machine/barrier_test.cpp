// Named barriers (NBARRIER page) and split ones (SBARRIER page), without a program: threads signal and wait
// as the test says.
#include "machine/barrier.h"

#include "machine/thread.h"

#include <gtest/gtest.h>

namespace visor::machine {
namespace {

constexpr uint32_t both = 0;
constexpr uint32_t producer = 1;
constexpr uint32_t consumer = 2;

class BarrierOfFour : public testing::Test {
protected:
    BarrierOfFour() : threads_(4) {
        group_.barriers.threads = 4;
        for (Thread& thread : threads_)
            thread.group = &group_;
    }
    void signal(size_t thread, const NamedSignal& what) { signal_named(threads_[thread], {}, what); }
    void wait(size_t thread, uint32_t id) { wait_at_named(threads_[thread], {}, id); }
    [[nodiscard]] bool stopped(size_t thread) const {
        return threads_[thread].status == Status::at_barrier && !phase_is_over(threads_[thread]);
    }
    [[nodiscard]] bool faulted(size_t thread) const {
        return threads_[thread].status == Status::faulted &&
               threads_[thread].fault.kind == FaultKind::deadlock;
    }

    Group group_;
    std::vector<Thread> threads_;
};

TEST_F(BarrierOfFour, ConsumersWaitForProducers) {
    signal(0, {3, consumer, 2, 1});
    wait(0, 3);
    EXPECT_TRUE(stopped(0));
    signal(1, {3, producer, 2, 1});
    EXPECT_TRUE(stopped(0));
    signal(2, {3, producer, 2, 1});
    EXPECT_FALSE(stopped(0));
    EXPECT_EQ(threads_[1].status, Status::running); // a producer never stops
}

TEST_F(BarrierOfFour, ProducersThatConsumeCountAsBoth) {
    signal(0, {0, both, 2, 2});
    wait(0, 0);
    EXPECT_TRUE(stopped(0));
    signal(1, {0, both, 2, 2});
    wait(1, 0);
    EXPECT_FALSE(stopped(0));
    EXPECT_FALSE(stopped(1));
}

TEST_F(BarrierOfFour, APhaseThatIsOverStaysOver) {
    signal(0, {1, consumer, 1, 1});
    signal(1, {1, producer, 1, 1});
    signal(1, {1, producer, 1, 1}); // the next phase is open already
    wait(0, 1);
    EXPECT_FALSE(stopped(0));
    signal(0, {1, consumer, 1, 1});
    wait(0, 1);
    EXPECT_FALSE(stopped(0));
}

TEST_F(BarrierOfFour, BarriersDoNotMeddle) {
    signal(0, {1, consumer, 1, 1});
    wait(0, 1);
    signal(1, {2, producer, 1, 1});
    EXPECT_TRUE(stopped(0));
}

TEST_F(BarrierOfFour, MistakesAreFaults) {
    signal(0, {32, both, 1, 1}); // ids are 0 to 31
    EXPECT_TRUE(faulted(0));
    signal(1, {0, 3, 1, 1}); // types are 0 to 2
    EXPECT_TRUE(faulted(1));
    signal(2, {0, producer, 1, 0});
    EXPECT_TRUE(faulted(2));
    wait(3, 5); // not signalled
    EXPECT_TRUE(faulted(3));
}

TEST_F(BarrierOfFour, ThreadsMustAgreeOnTheCounts) {
    signal(0, {7, producer, 2, 1});
    signal(1, {7, producer, 3, 1});
    EXPECT_TRUE(faulted(1));
    signal(2, {8, consumer, 1, 1});
    signal(3, {8, consumer, 1, 1}); // one more than the barrier has
    EXPECT_TRUE(faulted(3));
}

TEST_F(BarrierOfFour, ASplitBarrierStopsOnlyWhoComesEarly) {
    for (size_t thread = 0; thread < 3; ++thread)
        signal_barrier(threads_[thread], {});
    wait_at_barrier(threads_[0], {});
    EXPECT_TRUE(stopped(0));
    signal_barrier(threads_[3], {});
    EXPECT_FALSE(stopped(0));
    wait_at_barrier(threads_[1], {});
    EXPECT_EQ(threads_[1].status, Status::running);
    wait_at_barrier(threads_[1], {}); // without a signal
    EXPECT_TRUE(faulted(1));
}

} // namespace
} // namespace visor::machine
