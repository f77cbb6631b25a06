// The arena: what allocate promises about addresses, contents and gaps, and what find answers at the edges.
#include "machine/memory.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace visor::machine {
namespace {

constexpr uint64_t mebibyte = uint64_t{1} << 20U;

uint64_t page() {
    return static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

// What fills so many pages with the tail behind it.
uint64_t filling(uint64_t pages) {
    return pages * page() - Memory::tail_bytes;
}

uint64_t must_allocate(Memory& memory, uint64_t bytes) {
    const auto address = memory.allocate(bytes, "test");
    EXPECT_TRUE(address.has_value()) << (address ? "" : address.error());
    return address.value_or(0);
}

TEST(Memory, AllocationIsPageAlignedZeroFilledAndWritable) {
    Memory memory(64 * mebibyte);
    const uint64_t address = must_allocate(memory, 10000);
    ASSERT_NE(address, 0U);
    EXPECT_EQ(address % page(), 0U);
    std::byte* const bytes = Memory::host(address);
    EXPECT_TRUE(std::all_of(bytes, bytes + 10000, [](std::byte b) { return b == std::byte{0}; }));
    std::memset(bytes, 0xab, 10000);
    EXPECT_EQ(bytes[9999], std::byte{0xab});
}

TEST(Memory, FindKnowsTheExactSize) {
    Memory memory(64 * mebibyte);
    const uint64_t address = must_allocate(memory, 100);
    const Allocation* found = memory.find(address, 100);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->address, address);
    EXPECT_EQ(found->bytes, 100U);
    EXPECT_EQ(found->label, "test");
    EXPECT_NE(memory.find(address + 99, 1), nullptr);
    EXPECT_EQ(memory.find(address + 100, 1), nullptr);
    EXPECT_EQ(memory.find(address + 97, 4), nullptr);
    EXPECT_EQ(memory.find(address, 101), nullptr);
    EXPECT_EQ(memory.find(address - 1, 1), nullptr);
    EXPECT_EQ(memory.find(address - 1, 2), nullptr);
}

TEST(Memory, FindDoesNotWrapAround) {
    Memory memory(64 * mebibyte);
    const uint64_t address = must_allocate(memory, 100);
    EXPECT_EQ(memory.find(UINT64_MAX, 1), nullptr);
    EXPECT_EQ(memory.find(UINT64_MAX, 2), nullptr);
    EXPECT_EQ(memory.find(UINT64_MAX - 3, 4), nullptr);
    EXPECT_EQ(memory.find(0, 1), nullptr);
    EXPECT_EQ(memory.find(0, UINT64_MAX), nullptr);
    EXPECT_EQ(memory.find(address, UINT64_MAX), nullptr);
    EXPECT_EQ(memory.find(address + 50, UINT64_MAX - 49), nullptr);      // sums to `address` modulo 2^64
    EXPECT_EQ(memory.find(address + 1, uint64_t{0} - address), nullptr); // likewise to 1
}

// Ruling 145. Also where the allocation's last byte is its page's.
TEST(Memory, ATailOfZerosCanBeReadFromInside) {
    Memory memory(64 * mebibyte);
    for (const uint64_t bytes : {uint64_t{7}, page() - 1, page(), 3 * page() - 14}) {
        const uint64_t address = must_allocate(memory, bytes);
        std::memset(Memory::host(address), 0xff, bytes);
        const uint64_t last = address + bytes - 1;
        const Allocation* const found = memory.find_across(last, 1 + Memory::tail_bytes);
        ASSERT_NE(found, nullptr) << bytes;
        EXPECT_EQ(found->address, address);
        for (uint64_t i = 1; i <= Memory::tail_bytes; ++i)
            EXPECT_EQ(*Memory::host(last + i), std::byte{0}) << bytes;
        EXPECT_NE(memory.find_across(address + bytes - 4, 5), nullptr);
        EXPECT_EQ(memory.find_across(address + bytes - 4, 4), nullptr) << "that is inside";
        EXPECT_EQ(memory.find_across(last, 2 + Memory::tail_bytes), nullptr);
        EXPECT_EQ(memory.find_across(last + 1, 1), nullptr) << "begins behind the end";
        EXPECT_EQ(memory.find_across(last, UINT64_MAX), nullptr);
        EXPECT_EQ(memory.find(last, 2), nullptr);
    }
}

TEST(Memory, EmptyArenaFindsNothing) {
    const Memory memory(64 * mebibyte);
    EXPECT_EQ(memory.find(0, 1), nullptr);
    EXPECT_EQ(memory.find(UINT64_MAX, 1), nullptr);
    EXPECT_TRUE(memory.allocations().empty());
}

TEST(Memory, NeighboursAreAtLeastAPageApart) {
    Memory memory(64 * mebibyte);
    const uint64_t first = must_allocate(memory, page());
    const uint64_t second = must_allocate(memory, 2 * page() - 1);
    const uint64_t third = must_allocate(memory, 1);
    EXPECT_GE(second, first + 2 * page());
    EXPECT_GE(third, second + 3 * page());
    EXPECT_EQ(memory.find(first + page(), 1), nullptr);
    EXPECT_EQ(memory.find(first + page() - 1, 2), nullptr);
    ASSERT_EQ(memory.allocations().size(), 3U);
    EXPECT_EQ(memory.allocations()[0].address, first);
    EXPECT_EQ(memory.allocations()[1].address, second);
    EXPECT_EQ(memory.allocations()[2].address, third);
}

TEST(MemoryDeathTest, TheGapTraps) {
    Memory memory(64 * mebibyte);
    const uint64_t address = must_allocate(memory, filling(1));
    EXPECT_DEATH({ *static_cast<volatile std::byte*>(Memory::host(address + page())) = std::byte{1}; }, "");
}

// Whether somebody has all of it.
bool is_reserved(uint64_t address, uint64_t bytes) {
    for (uint64_t at = address; at < address + bytes; at += page()) {
        void* const there = mmap(Memory::host(at), page(), PROT_NONE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        if (there != MAP_FAILED) {
            munmap(there, page());
            return false;
        }
    }
    return true;
}

TEST(MemoryDeathTest, TheEndsOfTheArenaTrap) {
    Memory memory(16 * page());
    const uint64_t first = must_allocate(memory, 1);
    const uint64_t end = first + 16 * page();
    EXPECT_TRUE(is_reserved(first - Memory::guard_bytes, Memory::guard_bytes));
    EXPECT_TRUE(is_reserved(end, Memory::guard_bytes));
    EXPECT_DEATH({ *static_cast<volatile std::byte*>(Memory::host(first - 1)) = std::byte{1}; }, "");
    EXPECT_DEATH({ *static_cast<volatile std::byte*>(Memory::host(end)) = std::byte{1}; }, "");
}

TEST(Memory, NoBytesIsAnAllocationWithoutBytes) {
    Memory memory(64 * mebibyte);
    const uint64_t first = must_allocate(memory, 0);
    const uint64_t second = must_allocate(memory, 0);
    EXPECT_NE(first, 0U);
    EXPECT_NE(first, second);
    EXPECT_EQ(memory.find(first, 1), nullptr);
    memory.free(first);
    memory.free(second);
    EXPECT_TRUE(memory.allocations().empty());
}

TEST(Memory, FreedRangeIsUsedAgainAndReadsZero) {
    Memory memory(64 * mebibyte);
    const uint64_t first = must_allocate(memory, mebibyte);
    const uint64_t guard = must_allocate(memory, 1);
    std::memset(Memory::host(first), 0xff, mebibyte);
    memory.free(first);
    EXPECT_EQ(memory.find(first, 1), nullptr);
    EXPECT_NE(memory.find(guard, 1), nullptr);
    const uint64_t again = must_allocate(memory, mebibyte);
    EXPECT_EQ(again, first);
    const std::byte* const bytes = Memory::host(again);
    EXPECT_TRUE(std::all_of(bytes, bytes + mebibyte, [](std::byte b) { return b == std::byte{0}; }));
}

TEST(Memory, FreedNeighboursJoin) {
    Memory memory(64 * mebibyte);
    std::vector<uint64_t> small;
    for (int i = 0; i < 4; ++i)
        small.push_back(must_allocate(memory, page()));
    const uint64_t guard = must_allocate(memory, 1);
    // Out of order, so that joining both ways is needed.
    for (const size_t i : {size_t{2}, size_t{0}, size_t{3}, size_t{1}})
        memory.free(small[i]);
    const uint64_t large = must_allocate(memory, 7 * page()); // with its gap exactly the four ranges
    EXPECT_EQ(large, small[0]);
    EXPECT_LT(large, guard);
}

TEST(Memory, RestOfAReusedRangeStaysAvailable) {
    Memory memory(64 * mebibyte);
    const uint64_t first = must_allocate(memory, filling(9));
    const uint64_t guard = must_allocate(memory, 1);
    memory.free(first);
    const uint64_t low = must_allocate(memory, filling(1));
    const uint64_t high = must_allocate(memory, filling(1));
    EXPECT_EQ(low, first);
    EXPECT_EQ(high, first + 2 * page());
    EXPECT_LT(high, guard);
}

TEST(Memory, FreeOfAnUnknownAddressDoesNothing) {
    Memory memory(64 * mebibyte);
    const uint64_t address = must_allocate(memory, 2 * page());
    memory.free(0);
    memory.free(address + page());
    memory.free(UINT64_MAX);
    EXPECT_NE(memory.find(address, 2 * page()), nullptr);
    memory.free(address);
    memory.free(address);
    EXPECT_TRUE(memory.allocations().empty());
}

TEST(Memory, TooMuchIsRefusedWithTheNumbers) {
    Memory memory(mebibyte);
    ASSERT_EQ(memory.reserved(), mebibyte);
    for (const uint64_t bytes : {mebibyte, mebibyte + 1, UINT64_MAX, UINT64_MAX - page() + 1}) {
        const auto refused = memory.allocate(bytes, "arg 2 `out`");
        ASSERT_FALSE(refused.has_value()) << bytes;
        EXPECT_NE(refused.error().find(std::to_string(bytes)), std::string::npos) << refused.error();
        EXPECT_NE(refused.error().find("arg 2 `out`"), std::string::npos) << refused.error();
        EXPECT_NE(refused.error().find(std::to_string(mebibyte - page() - Memory::tail_bytes)),
                  std::string::npos)
            << refused.error();
    }
    EXPECT_TRUE(memory.allocate(mebibyte - page() - Memory::tail_bytes, "all").has_value());
    EXPECT_FALSE(memory.allocate(0, "nothing").has_value());
}

TEST(Memory, FullArenaServesAgainAfterFree) {
    Memory memory(16 * page());
    std::vector<uint64_t> all;
    for (int i = 0; i < 8; ++i)
        all.push_back(must_allocate(memory, filling(1)));
    EXPECT_FALSE(memory.allocate(1, "one more").has_value());
    for (const uint64_t address : all)
        memory.free(address);
    EXPECT_TRUE(memory.allocate(filling(15), "everything").has_value());
}

TEST(Memory, TheDefaultReserveIsAtLeastUsable) {
    Memory first;
    Memory second;
    EXPECT_GE(first.reserved(), mebibyte);
    EXPECT_LE(first.reserved(), Memory::default_reserve);
    const uint64_t a = must_allocate(first, mebibyte);
    const uint64_t b = must_allocate(second, mebibyte);
    EXPECT_EQ(first.find(b, 1), nullptr);
    EXPECT_EQ(second.find(a, 1), nullptr);
}

TEST(Memory, ManyAllocationsAreAllFoundAndAllApart) {
    Memory memory(uint64_t{1} << 30U);
    constexpr uint64_t count = 4000;
    std::vector<uint64_t> addresses;
    for (uint64_t i = 0; i < count; ++i)
        addresses.push_back(must_allocate(memory, i + 1));
    for (uint64_t i = 0; i < count; ++i) {
        const Allocation* found = memory.find(addresses[i], i + 1);
        ASSERT_NE(found, nullptr) << i;
        EXPECT_EQ(found->address, addresses[i]);
        EXPECT_EQ(memory.find(addresses[i], i + 2), nullptr) << i;
    }
    for (uint64_t i = 0; i < count; i += 2)
        memory.free(addresses[i]);
    for (uint64_t i = 0; i < count; ++i)
        EXPECT_EQ(memory.find(addresses[i], 1) != nullptr, i % 2 == 1) << i;
}

// Against a plain list of what is live.
TEST(Memory, RandomAllocationsAndFreesNeverOverlap) {
    const unsigned seed = 20240607;
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    Memory memory(mebibyte);
    struct Live {
        uint64_t address;
        uint64_t bytes;
    };
    std::vector<Live> live;
    for (int step = 0; step < 3000; ++step) {
        if (live.empty() || random() % 3 != 0) {
            const uint64_t bytes = random() % (5 * page());
            const auto address = memory.allocate(bytes, "");
            if (address)
                live.push_back({*address, bytes});
        } else {
            const size_t victim = random() % live.size();
            memory.free(live[victim].address);
            live.erase(live.begin() + static_cast<std::ptrdiff_t>(victim));
        }
        ASSERT_EQ(memory.allocations().size(), live.size());
    }
    std::ranges::sort(live, {}, &Live::address);
    for (size_t i = 0; i < live.size(); ++i) {
        EXPECT_EQ(memory.allocations()[i].address, live[i].address);
        EXPECT_EQ(memory.allocations()[i].bytes, live[i].bytes);
        if (i + 1 < live.size()) {
            EXPECT_GT(live[i + 1].address, live[i].address + live[i].bytes);
        }
    }
}

TEST(AllocationCache, RemembersAndChecksEveryByte) {
    Memory memory(64 * mebibyte);
    const uint64_t first = must_allocate(memory, 64);
    const uint64_t second = must_allocate(memory, 64);
    AllocationCache cache;
    EXPECT_TRUE(cache.holds(memory, first + 60, 4));
    EXPECT_EQ(cache.low, first);
    EXPECT_EQ(cache.high, first + 64);
    EXPECT_FALSE(cache.holds(memory, first + 61, 4));
    EXPECT_FALSE(cache.holds(memory, first + 64, 1));
    EXPECT_TRUE(cache.holds(memory, second, 64));
    EXPECT_EQ(cache.low, second);
    EXPECT_FALSE(cache.holds(memory, second + 1, UINT64_MAX));
    EXPECT_FALSE(cache.holds(memory, UINT64_MAX, 4));
}

} // namespace
} // namespace visor::machine
