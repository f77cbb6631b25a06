// What threads do to the arena at the same time, and what it remembers of what was freed.
#include "machine/memory.h"

#include <atomic>
#include <cstring>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace visor::machine {
namespace {

constexpr uint64_t mebibyte = uint64_t{1} << 20U;

uint64_t page() {
    return static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

TEST(PageIndex, AnswersForItsPagesAlone) {
    constexpr uint64_t base = 0x10000;
    PageIndex index(base, uint64_t{1} << 32U, 4096);
    const Allocation first{.address = base, .bytes = 1};
    const Allocation second{.address = base + 0x5000, .bytes = 1};
    EXPECT_EQ(index.at(base), nullptr);
    index.set(base, 0x2000, &first);
    index.set(base + 0x5000, 0x1000, &second);
    EXPECT_EQ(index.at(base - 1), nullptr);
    EXPECT_EQ(index.at(base), &first);
    EXPECT_EQ(index.at(base + 0x1fff), &first);
    EXPECT_EQ(index.at(base + 0x2000), nullptr);
    EXPECT_EQ(index.at(base + 0x5abc), &second);
    EXPECT_EQ(index.at(base + 0x6000), nullptr);
    index.set(base, 0x2000, nullptr);
    EXPECT_EQ(index.at(base), nullptr);
    EXPECT_EQ(index.at(base + 0x5000), &second);
    EXPECT_EQ(index.at(0), nullptr);
    EXPECT_EQ(index.at(UINT64_MAX), nullptr);
    EXPECT_EQ(index.at(base + (uint64_t{1} << 32U)), nullptr);
}

TEST(PageIndex, ReachesAcrossItsBlocks) {
    constexpr uint64_t base = uint64_t{1} << 40U;
    constexpr uint64_t block = uint64_t{16384} * 4096;
    PageIndex index(base, 4 * block, 4096);
    const Allocation one{.address = base + block - 4096, .bytes = 1};
    index.set(one.address, 2 * block, &one);
    for (const uint64_t at : {one.address, base + block, base + 2 * block, one.address + 2 * block - 1})
        EXPECT_EQ(index.at(at), &one);
    EXPECT_EQ(index.at(one.address - 1), nullptr);
    EXPECT_EQ(index.at(one.address + 2 * block), nullptr);
}

TEST(PageIndex, OfNothingKnowsNothing) {
    const PageIndex index;
    EXPECT_EQ(index.at(0), nullptr);
    EXPECT_EQ(index.at(4096), nullptr);
}

TEST(Memory, KeepsTheKindOfAnAllocation) {
    Memory memory(mebibyte);
    const uint64_t plain = memory.allocate(10, "a").value();
    const uint64_t shared = memory.allocate(10, "b", AllocationKind::usm_shared).value();
    EXPECT_EQ(memory.find(plain, 1)->kind, AllocationKind::other);
    EXPECT_EQ(memory.find(shared, 1)->kind, AllocationKind::usm_shared);
    EXPECT_EQ(memory.count(), 2U);
}

TEST(Memory, RemembersWhatWasFreed) {
    Memory memory(mebibyte);
    const uint64_t first = memory.allocate(100, "first", AllocationKind::svm).value();
    const uint64_t guard = memory.allocate(100, "guard").value();
    EXPECT_EQ(memory.freed_at(first), std::nullopt) << "it is alive";
    memory.free(first);
    for (const uint64_t at : {first, first + 99}) {
        const auto freed = memory.freed_at(at);
        ASSERT_TRUE(freed.has_value());
        EXPECT_EQ(freed->label, "first");
        EXPECT_EQ(freed->bytes, 100U);
        EXPECT_EQ(freed->kind, AllocationKind::svm);
    }
    EXPECT_EQ(memory.freed_at(first + 100), std::nullopt);
    EXPECT_EQ(memory.freed_at(guard), std::nullopt);
    EXPECT_EQ(memory.freed_at(0), std::nullopt);
    const uint64_t again = memory.allocate(10, "again").value();
    EXPECT_EQ(again, first);
    EXPECT_EQ(memory.freed_at(first), std::nullopt);
    memory.free(again);
    EXPECT_EQ(memory.freed_at(first)->label, "again") << "the last one";
}

TEST(Memory, AQuarantineKeepsRangesUntilOthersWereFreed) {
    Memory memory(64 * mebibyte);
    memory.quarantine(2);
    std::vector<uint64_t> all;
    for (int i = 0; i < 5; ++i)
        all.push_back(memory.allocate(1, "one").value());
    memory.free(all[0]);
    EXPECT_NE(memory.allocate(1, "next").value(), all[0]);
    memory.free(all[1]);
    EXPECT_NE(memory.allocate(1, "next").value(), all[0]);
    memory.free(all[2]); // the third: the first one goes
    EXPECT_EQ(memory.allocate(1, "next").value(), all[0]);
    EXPECT_NE(memory.allocate(1, "next").value(), all[1]);
    memory.quarantine(0);
    EXPECT_EQ(memory.allocate(1, "next").value(), all[1]);
}

TEST(Memory, AQuarantineGivesWayWhereNothingElseIsLeft) {
    Memory memory(8 * page());
    memory.quarantine(100);
    for (int i = 0; i < 40; ++i) {
        const auto address = memory.allocate(1, "one");
        ASSERT_TRUE(address.has_value()) << i << ": " << address.error();
        memory.free(*address);
    }
    EXPECT_TRUE(memory.allocate(7 * page() - Memory::tail_bytes, "everything").has_value());
}

// Each thread's own allocations are found as they are, whatever the others do; a lookup of what nobody frees
// stays good.
TEST(Memory, ThreadsAllocateFreeAndLookUpAtTheSameTime) {
    Memory memory(uint64_t{1} << 30U);
    memory.quarantine(8);
    const uint64_t lasting = memory.allocate(3 * page(), "lasting").value();
    std::atomic<bool> done{false};
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int number = 0; number < 3; ++number)
        threads.emplace_back([&, number] {
            std::vector<uint64_t> own;
            for (int i = 0; i < 400; ++i) {
                const uint64_t bytes = 1 + static_cast<uint64_t>(i * 37 % 9000);
                const uint64_t address = memory.allocate(bytes, "own").value_or(0);
                std::memset(Memory::host(address), number, bytes);
                const Allocation* const found = memory.find(address, bytes);
                wrong += found == nullptr || found->address != address || found->bytes != bytes ? 1 : 0;
                own.push_back(address);
                if (i % 3 == 0) {
                    memory.free(own.front());
                    own.erase(own.begin());
                }
            }
            for (const uint64_t address : own)
                memory.free(address);
        });
    threads.emplace_back([&] {
        while (!done) {
            for (uint64_t at = 0; at < 64 * page(); at += 512)
                static_cast<void>(memory.copy_of(lasting + at)); // the others free what is there
            const Allocation* const found = memory.find(lasting + page(), page());
            wrong += found == nullptr || found->label != "lasting" ? 1 : 0;
        }
    });
    for (size_t k = 0; k < 3; ++k)
        threads[k].join();
    done = true;
    threads.back().join();
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(memory.count(), 1U);
}

} // namespace
} // namespace visor::machine
