#include "machine/work_partition.h"

#include <gtest/gtest.h>

#include <array>
#include <latch>
#include <thread>
#include <vector>

namespace visor::machine {
namespace {

using Range = std::array<uint64_t, 2>;

Range take(WorkPartition& partition, uint32_t worker, std::optional<uint64_t> most = std::nullopt) {
    const WorkPartition::Batch batch = partition.take(worker, most);
    return {batch.begin, batch.end};
}

TEST(WorkPartition, OfManyGroupsEachWorkerHasItsOwn) {
    WorkPartition partition(10, 266, 2);
    EXPECT_EQ(take(partition, 0), (Range{10, 18})); // a sixteenth of 128
    EXPECT_EQ(take(partition, 1), (Range{138, 146}));
    EXPECT_EQ(take(partition, 0, 20), (Range{18, 38}));
    EXPECT_EQ(take(partition, 1), (Range{146, 154}));
    EXPECT_EQ(partition.left(), 256U - 44);
}

TEST(WorkPartition, WhoHasDoneItsOwnHelps) {
    WorkPartition partition(0, 256, 2);
    EXPECT_EQ(take(partition, 1, 1000), (Range{128, 256}));
    EXPECT_EQ(take(partition, 1), (Range{0, 8}));
    EXPECT_EQ(take(partition, 0, 100), (Range{8, 108}));
    EXPECT_EQ(take(partition, 1, 19), (Range{108, 127}));
    EXPECT_EQ(take(partition, 0), (Range{127, 128}));
    EXPECT_EQ(partition.left(), 0U);
    EXPECT_EQ(take(partition, 0), (Range{0, 0}));
    EXPECT_EQ(take(partition, 1), (Range{0, 0}));
    EXPECT_EQ(partition.left(), 0U);
}

TEST(WorkPartition, TheLastHasWhatIsOver) {
    WorkPartition partition(0, 194, 3);
    EXPECT_EQ(take(partition, 0, 1000), (Range{0, 64}));
    EXPECT_EQ(take(partition, 1, 1000), (Range{64, 128}));
    EXPECT_EQ(take(partition, 2, 1000), (Range{128, 194}));
}

TEST(WorkPartition, FewAreTakenInTheirOrder) {
    EXPECT_FALSE(WorkPartition::are_many(127, 2));
    EXPECT_TRUE(WorkPartition::are_many(128, 2));
    WorkPartition partition(5, 132, 2);
    EXPECT_EQ(take(partition, 1), (Range{5, 8})); // a sixteenth of half of them
    EXPECT_EQ(take(partition, 0), (Range{8, 11}));
    WorkPartition fewer(0, 3, 4);
    EXPECT_EQ(take(fewer, 3), (Range{0, 1}));
    EXPECT_EQ(take(fewer, 0), (Range{1, 2}));
}

TEST(WorkPartition, ThoseThatMayWaitAreTakenInTheirOrder) {
    WorkPartition partition(10, 266, 2, true);
    EXPECT_EQ(take(partition, 1), (Range{10, 18}));
    EXPECT_EQ(take(partition, 0), (Range{18, 26}));
    EXPECT_EQ(take(partition, 0, 100), (Range{26, 126}));
    EXPECT_EQ(take(partition, 1), (Range{126, 134}));
}

TEST(WorkPartition, OneWorkerTakesLongBatches) {
    WorkPartition partition(0, 3000, 1);
    EXPECT_EQ(take(partition, 0), (Range{0, 1024}));
    EXPECT_EQ(take(partition, 0), (Range{1024, 2048}));
    EXPECT_EQ(take(partition, 0), (Range{2048, 3000}));
}

TEST(WorkPartition, EachGroupIsTakenOnce) {
    constexpr uint32_t workers = 4;
    constexpr size_t groups = 100'003;
    WorkPartition partition(0, groups, workers);
    std::vector<std::vector<Range>> taken(workers);
    std::latch all(workers);
    {
        std::vector<std::jthread> threads;
        for (uint32_t worker = 0; worker < workers; ++worker)
            threads.emplace_back([&, worker] {
                all.arrive_and_wait();
                for (uint64_t most = 1;; most = most % 50 + 1) {
                    const Range range = take(partition, worker, most);
                    if (range[0] == range[1])
                        return;
                    taken[worker].push_back(range);
                }
            });
    }
    EXPECT_EQ(partition.left(), 0U);
    std::vector<int> times(groups);
    for (const std::vector<Range>& ranges : taken)
        for (const Range& range : ranges)
            for (uint64_t group = range[0]; group < range[1]; ++group)
                ++times.at(group);
    EXPECT_EQ(times, std::vector<int>(groups, 1));
}

} // namespace
} // namespace visor::machine
