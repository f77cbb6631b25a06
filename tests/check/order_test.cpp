#include "check/order.h"

#include <gtest/gtest.h>

namespace visor::check {
namespace {

constexpr int barrier = machine::group_barrier;

class OrderTest : public testing::Test {
protected:
    OrderTest() { order_.begin_group(0, 2, true); }
    // Both threads come to the group's barrier and go on.
    void meet() {
        order_.signal(0, barrier);
        order_.signal(1, barrier);
        order_.release(barrier);
        order_.pass(0, barrier);
        order_.pass(1, barrier);
    }
    Order order_;
};

TEST_F(OrderTest, NothingOrdersTwoThreads) {
    EXPECT_FALSE(order_.knows(1, 0, 0, order_.clock(0), Wants::nothing));
    EXPECT_TRUE(order_.knows(0, 0, 0, order_.clock(0), Wants::global_fence)) << "of itself it knows all";
}

TEST_F(OrderTest, ABarrierOrdersWhatWasBefore) {
    const uint32_t before = order_.clock(0);
    meet();
    EXPECT_TRUE(order_.knows(1, 0, 0, before, Wants::nothing));
    EXPECT_FALSE(order_.knows(1, 0, 0, order_.clock(0), Wants::nothing)) << "what is behind it is not";
}

TEST_F(OrderTest, WritesWantAFenceOfTheirMemory) {
    const uint32_t unfenced = order_.clock(0);
    meet();
    EXPECT_FALSE(order_.knows(1, 0, 0, unfenced, Wants::local_fence));
    const uint32_t fenced = order_.clock(0);
    order_.fence(0, {.local = true});
    meet();
    EXPECT_TRUE(order_.knows(1, 0, 0, fenced, Wants::local_fence));
    EXPECT_FALSE(order_.knows(1, 0, 0, fenced, Wants::global_fence));
    order_.fence(0, {.global = true});
    meet();
    EXPECT_TRUE(order_.knows(1, 0, 0, fenced, Wants::global_fence)) << "a later fence covers it, too";
}

TEST_F(OrderTest, WithoutNeedABarrierDoesForLocalMemory) {
    order_.begin_group(0, 2, false);
    const uint32_t before = order_.clock(0);
    meet();
    EXPECT_TRUE(order_.knows(1, 0, 0, before, Wants::local_fence));
}

TEST_F(OrderTest, ASplitBarrierOrdersWhatWasBeforeItsSignal) {
    const uint32_t before = order_.clock(0);
    order_.signal(0, barrier);
    const uint32_t between = order_.clock(0);
    order_.signal(1, barrier);
    order_.release(barrier);
    order_.pass(1, barrier);
    EXPECT_TRUE(order_.knows(1, 0, 0, before, Wants::nothing));
    EXPECT_FALSE(order_.knows(1, 0, 0, between, Wants::nothing));
}

TEST_F(OrderTest, ANamedBarrierOrdersItsThreadsAlone) {
    order_.begin_group(0, 3, true);
    const uint32_t before = order_.clock(0);
    order_.signal(0, 4);
    order_.signal(1, 4);
    order_.release(4);
    order_.pass(1, 4);
    EXPECT_TRUE(order_.knows(1, 0, 0, before, Wants::nothing));
    EXPECT_FALSE(order_.knows(2, 0, 0, before, Wants::nothing));
}

// mem_fence becomes a fence that names no memory where shared local memory keeps the order of messages.
TEST_F(OrderTest, AFenceOfTheCompilersReleasesWhereLocalMemoryKeepsItsOrder) {
    constexpr uint64_t lock = 0x40;
    for (const bool needs_fence : {false, true}) {
        order_.begin_group(0, 2, needs_fence);
        const uint32_t before = order_.clock(0);
        order_.local_atomic(0, lock);
        order_.local_atomic(1, lock);
        EXPECT_FALSE(order_.knows(1, 0, 0, before, Wants::local_fence)) << "no fence at all";
        order_.fence(0, {});
        order_.local_atomic(0, lock);
        order_.local_atomic(1, lock);
        EXPECT_EQ(order_.knows(1, 0, 0, before, Wants::local_fence), !needs_fence);
        EXPECT_FALSE(order_.knows(1, 0, 0, before, Wants::global_fence));
        const uint32_t after = order_.clock(0);
        order_.local_atomic(0, lock);
        order_.local_atomic(1, lock);
        EXPECT_FALSE(order_.knows(1, 0, 0, after, Wants::local_fence))
            << "each release has a fence of its own";
    }
}

TEST_F(OrderTest, AFenceOfTheCompilersReleasesNothingToOtherGroups) {
    constexpr uint64_t flag = 0x1000;
    order_.begin_group(0, 1, false);
    const uint32_t before = order_.clock(0);
    order_.fence(0, {});
    order_.atomic(0, flag);
    order_.begin_group(1, 1, false);
    order_.atomic(0, flag);
    EXPECT_FALSE(order_.knows(0, 0, 0, before, Wants::nothing));
}

TEST_F(OrderTest, AtomicsAfterAFenceOrderGroups) {
    constexpr uint64_t flag = 0x1000;
    const uint32_t write = order_.clock(0);
    order_.fence(0, {.global = true});
    order_.atomic(0, flag);
    const uint32_t later = order_.clock(0);
    order_.begin_group(1, 2, true);
    EXPECT_FALSE(order_.knows(0, 0, 0, write, Wants::global_fence));
    order_.atomic(0, flag);
    EXPECT_TRUE(order_.knows(0, 0, 0, write, Wants::global_fence));
    EXPECT_FALSE(order_.knows(0, 0, 0, later, Wants::nothing));
    EXPECT_FALSE(order_.knows(1, 0, 0, write, Wants::nothing)) << "its neighbour has learnt nothing";
    meet();
    EXPECT_TRUE(order_.knows(1, 0, 0, write, Wants::global_fence)) << "until a barrier tells it";
}

TEST_F(OrderTest, AtomicsInLocalMemoryOrderThreadsOfTheirGroup) {
    constexpr uint64_t flag = 0x10;
    const uint32_t write = order_.clock(0);
    order_.fence(0, {.local = true});
    order_.local_atomic(0, flag);
    EXPECT_FALSE(order_.knows(1, 0, 0, write, Wants::local_fence));
    order_.local_atomic(1, flag + 4);
    EXPECT_FALSE(order_.knows(1, 0, 0, write, Wants::local_fence)) << "another place";
    order_.local_atomic(1, flag);
    EXPECT_TRUE(order_.knows(1, 0, 0, write, Wants::local_fence));
    order_.begin_group(1, 2, true);
    order_.local_atomic(0, flag);
    EXPECT_FALSE(order_.knows(0, 0, 0, write, Wants::nothing)) << "each group has memory of its own";
}

TEST_F(OrderTest, AnAtomicWithoutAFenceReleasesNothing) {
    constexpr uint64_t flag = 0x1000;
    const uint32_t write = order_.clock(0);
    order_.atomic(0, flag);
    order_.begin_group(1, 2, true);
    order_.atomic(0, flag);
    EXPECT_FALSE(order_.knows(0, 0, 0, write, Wants::nothing));
}

TEST_F(OrderTest, KnowledgeGoesOnFromPlaceToPlace) {
    const uint32_t write = order_.clock(0);
    order_.fence(0, {.global = true});
    order_.atomic(0, 0x1000);
    order_.begin_group(1, 2, true);
    order_.atomic(0, 0x1000);
    order_.fence(0, {.global = true});
    order_.atomic(0, 0x2000);
    order_.begin_group(2, 2, true);
    order_.atomic(1, 0x2000);
    EXPECT_TRUE(order_.knows(1, 0, 0, write, Wants::global_fence));
}

} // namespace
} // namespace visor::check
