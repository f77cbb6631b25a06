#include "machine/register_pool.h"

#include "guard_death.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <unistd.h>
#include <vector>

namespace visor::machine {
namespace {

TEST(RegisterPool, GivesBlocksBackAndOutAgain) {
    RegisterPool pool;
    std::byte* const first = pool.take(5000);
    std::byte* const second = pool.take(5000);
    ASSERT_NE(first, nullptr);
    ASSERT_NE(second, nullptr);
    EXPECT_NE(first, second);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(first) % 64, 0U);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(second) % 64, 0U);
    std::memset(first, 1, 5000);
    std::memset(second, 2, 5000);
    EXPECT_EQ(first[4999], std::byte{1});
    pool.give_back(first, 5000);
    EXPECT_EQ(pool.take(4200), first) << "of the same size class";
    pool.give_back(first, 4200);
}

TEST(RegisterPool, SizesThatArePowersOfTwoFit) {
    RegisterPool pool;
    for (const uint32_t bytes : {0U, 1U, 1023U, 1024U, 1025U, 4096U, 1U << 20U}) {
        std::byte* const block = pool.take(bytes);
        ASSERT_NE(block, nullptr) << bytes;
        std::memset(block, 7, bytes);
        pool.give_back(block, bytes);
    }
}

TEST(RegisterPool, BlocksDoNotOverlap) {
    RegisterPool pool;
    std::vector<uintptr_t> blocks;
    for (uint32_t k = 0; k < 3000; ++k) {
        std::byte* const block = pool.take(k % 7 == 0 ? 2048 : 1024);
        ASSERT_NE(block, nullptr);
        std::memset(block, 7, 1024);
        blocks.push_back(reinterpret_cast<uintptr_t>(block));
        if (k % 7 == 0)
            blocks.push_back(blocks.back() + 1024);
    }
    std::ranges::sort(blocks);
    for (size_t k = 1; k < blocks.size(); ++k)
        EXPECT_GE(blocks[k], blocks[k - 1] + 1024);
}

TEST(RegisterPoolDeathTest, BlocksLieBetweenGuards) {
    RegisterPool pool;
    std::byte* const last = pool.take(1024); // the first block is the chunk's last
    std::byte* const large = pool.take(8U << 20U);
    EXPECT_EXIT(write_byte(last + 1024), died_by_access, "");
    expect_guarded(large, large + (8U << 20U));
}

TEST(RegisterPool, IsBounded) {
    RegisterPool pool;
    constexpr uint32_t bytes = 16U << 20U;
    uint64_t taken = 0;
    std::byte* last = nullptr;
    while (std::byte* const block = pool.take(bytes)) {
        last = block;
        taken += bytes;
        ASSERT_LE(taken, RegisterPool::limit);
    }
    EXPECT_EQ(taken, RegisterPool::limit);
    pool.give_back(last, bytes);
    EXPECT_EQ(pool.take(bytes), last);
}

TEST(RegisterPool, GoesBackToAMark) {
    RegisterPool pool;
    std::byte* const kept = pool.take(2048);
    const RegisterPool::Mark mark = pool.mark();
    std::byte* const later = pool.take(2048);
    pool.give_back(kept, 2048);
    pool.return_to(mark);
    // `kept` is in use again, what came later is free.
    std::byte* const again = pool.take(2048);
    EXPECT_NE(again, kept);
    EXPECT_EQ(again, later);
    // A chunk that came since stays, and none of it is in use.
    while (pool.take(1U << 20U) == nullptr)
        FAIL();
    pool.return_to(mark);
    std::byte* const next = pool.take(2048);
    ASSERT_NE(next, nullptr);
    EXPECT_NE(next, kept);
}

} // namespace
} // namespace visor::machine
