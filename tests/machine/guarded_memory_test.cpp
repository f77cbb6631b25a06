// Where blocks lie between their guards, what they hold, and what is refused.
#include "machine/guarded_memory.h"

#include "guard_death.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

namespace visor::machine {
namespace {

constexpr size_t mebibyte = size_t{1} << 20U;

uintptr_t number(const std::byte* address) {
    return reinterpret_cast<uintptr_t>(address);
}

GuardedMemory block_of(size_t bytes) {
    GuardedMemory block;
    EXPECT_TRUE(block.reallocate(bytes).has_value()) << bytes;
    return block;
}

TEST(GuardedMemory, BeginsAtALineAndEndsAtAPage) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    for (const size_t bytes :
         {size_t{1}, size_t{63}, size_t{64}, size_t{65}, page, page + 64, mebibyte + 3}) {
        GuardedMemory block = block_of(bytes);
        EXPECT_EQ(block.size(), bytes);
        EXPECT_EQ(block.bytes().size(), bytes);
        EXPECT_EQ(number(block.data()) % 64, 0U) << bytes;
        const uintptr_t end = number(block.data()) + bytes;
        EXPECT_LT((end + 63) / 64 * 64 - end, 64U);
        EXPECT_EQ((end + 63) / 64 * 64 % page, 0U) << bytes;
        EXPECT_GE(block.guard(), size_t{64} << 10U);
        EXPECT_TRUE(std::ranges::all_of(block.bytes(), [](std::byte b) { return b == std::byte{0}; }));
        std::ranges::fill(block.bytes(), std::byte{1});
    }
}

TEST(GuardedMemoryDeathTest, NothingAroundItCanBeTouched) {
    const GuardedMemory block = block_of(192);
    expect_guarded(block.data(), block.data() + 192);
    EXPECT_EXIT(write_byte(block.data() + (64U << 10U)), died_by_access, "");
    EXPECT_EXIT(write_byte(block.data() - (64U << 10U)), died_by_access, "");
}

TEST(GuardedMemoryDeathTest, NoOffsetOf32BitsLeadsOut) {
    const GuardedMemory block = block_of(192);
    if (block.guard() < GuardedMemory::guard_bytes)
        GTEST_SKIP() << "there is not that much address space";
    std::byte* const last = block.data() + 191;
    EXPECT_EXIT(write_byte(last + 0xffff'ffffU), died_by_access, "");
    EXPECT_EXIT(write_byte(last + 0x8000'0000U), died_by_access, "");
    EXPECT_EXIT(write_byte(block.data() - 0x8000'0000U), died_by_access, "");
}

TEST(GuardedMemoryDeathTest, ASmallerBlockEndsAtTheGuardToo) {
    GuardedMemory block = block_of(mebibyte);
    const std::byte* const end = block.data() + mebibyte;
    ASSERT_TRUE(block.reallocate(128).has_value());
    EXPECT_EQ(block.data() + 128, end) << "on the same pages";
    EXPECT_EQ(block.capacity(), mebibyte);
    EXPECT_EXIT(write_byte(block.data() + 128), died_by_access, "");
}

#ifndef NDEBUG
TEST(GuardedMemoryDeathTest, WhatChangesAroundItIsSeen) {
    EXPECT_DEATH(
        {
            const GuardedMemory block = block_of(100);
            write_byte(block.data() + 100);
        },
        "");
    EXPECT_DEATH(
        {
            const GuardedMemory block = block_of(100);
            write_byte(block.data() - 1);
        },
        "");
}
#endif

TEST(GuardedMemory, StaysWhereItIsForTheSameSize) {
    GuardedMemory block = block_of(5000);
    std::byte* const first = block.data();
    first[4999] = std::byte{7};
    ASSERT_TRUE(block.reallocate(5000).has_value());
    EXPECT_EQ(block.data(), first);
    EXPECT_EQ(first[4999], std::byte{7});
}

TEST(GuardedMemory, Grows) {
    GuardedMemory block = block_of(100);
    std::ranges::fill(block.bytes(), std::byte{7});
    ASSERT_TRUE(block.reallocate(2 * mebibyte).has_value());
    EXPECT_EQ(block.size(), 2 * mebibyte);
    EXPECT_TRUE(std::ranges::all_of(block.bytes(), [](std::byte b) { return b == std::byte{0}; }));
}

TEST(GuardedMemory, NoBytesAreABlockToo) {
    GuardedMemory block;
    EXPECT_TRUE(block.reallocate(0).has_value());
    EXPECT_TRUE(block.empty());
    EXPECT_EQ(block.data(), nullptr);
    EXPECT_EQ(block.capacity(), 0U) << "and take no pages";
    ASSERT_TRUE(block.reallocate(64).has_value());
    ASSERT_TRUE(block.reallocate(0).has_value());
    EXPECT_TRUE(block.empty());
    EXPECT_TRUE(block.bytes().empty());
    ASSERT_TRUE(block.reallocate(64).has_value());
    block.bytes()[63] = std::byte{1};
}

TEST(GuardedMemory, AbsurdSizesAreRefused) {
    GuardedMemory block = block_of(64);
    block.bytes()[0] = std::byte{7};
    for (const size_t bytes :
         {SIZE_MAX, SIZE_MAX - 63, SIZE_MAX - 4095, SIZE_MAX - GuardedMemory::guard_bytes, size_t{1} << 63U,
          GuardedMemory::most_bytes + 1}) {
        const auto refused = block.reallocate(bytes);
        ASSERT_FALSE(refused.has_value()) << bytes;
        EXPECT_TRUE(refused.error().contains(std::to_string(bytes))) << refused.error();
    }
    EXPECT_EQ(block.size(), 64U);
    EXPECT_EQ(block.bytes()[0], std::byte{7});
}

TEST(GuardedMemory, IsMoved) {
    GuardedMemory one = block_of(100);
    std::byte* const first = one.data();
    GuardedMemory other = std::move(one);
    EXPECT_EQ(other.data(), first);
    EXPECT_EQ(one.data(), nullptr); // NOLINT(bugprone-use-after-move): it is as a new one
    EXPECT_EQ(one.size(), 0U);
    GuardedMemory third = block_of(7);
    third = std::move(other);
    EXPECT_EQ(third.data(), first);
    EXPECT_EQ(third.size(), 100U);
    third.bytes()[99] = std::byte{1};
    ASSERT_TRUE(other.reallocate(7).has_value()); // NOLINT(bugprone-use-after-move): it is as a new one
    other.bytes()[6] = std::byte{1};
}

// Of a process that may have no more than 1 GiB of address space besides.
bool serves_where_space_is_short() {
    size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t most = pages * static_cast<size_t>(sysconf(_SC_PAGESIZE)) + 1024 * mebibyte;
    const rlimit limit{most, most};
    if (setrlimit(RLIMIT_AS, &limit) != 0)
        return false;
    GuardedMemory block;
    if (!block.reallocate(100) || block.guard() < GuardedMemory::least_guard_bytes ||
        block.guard() >= GuardedMemory::guard_bytes)
        return false;
    block.bytes()[99] = std::byte{7};
    return !block.reallocate(2048 * mebibyte) && block.size() == 100 && block.bytes()[99] == std::byte{7};
}

TEST(GuardedMemoryDeathTest, GuardsAreSmallerWhereAddressSpaceIsShort) {
    if (sanitized)
        GTEST_SKIP() << "a sanitizer needs more address space than it leaves";
    EXPECT_EXIT(_exit(serves_where_space_is_short() ? 0 : 1), testing::ExitedWithCode(0), "");
}

TEST(GuardedMemoryDeathTest, NothingCanBeTouchedWhereNobodyHasMemory) {
    std::byte* const address = no_access_address();
    if (address == nullptr)
        GTEST_SKIP() << "there is not that much address space";
    for (const int64_t offset : {int64_t{0}, int64_t{0xffff'ffff}, int64_t{INT32_MIN}})
        EXPECT_EXIT(read_byte(address + offset), died_by_access, "") << offset;
}

} // namespace
} // namespace visor::machine
