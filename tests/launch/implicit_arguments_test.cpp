// Offsets and layouts of launch ABI 2.10; values follow from the sizes by hand.
#include "launch/implicit_arguments.h"
#include "sample.h"

#include <gtest/gtest.h>

#include <cstring>

namespace visor::launch {
namespace {

template <class T>
T at(std::span<const std::byte> bytes, size_t offset) {
    T value{};
    EXPECT_LE(offset + sizeof value, bytes.size());
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

class Implicit : public testing::Test {
protected:
    machine::Memory memory_{uint64_t{1} << 30U};
    Signature signature_{.name = "k", .simd = 16};
    // 20 x 6 work-items in groups of 8 x 4, from (3, 2) on.
    Shape shape_{.dimensions = 2,
                 .global = {20, 6, 1},
                 .offset = {3, 2, 0},
                 .local = {8, 4, 1},
                 .group_count = {3, 2, 1},
                 .regions = {}};
    // Its last group.
    Region region_{.first_group = {2, 1, 0}, .groups = {1, 1, 1}, .local = {4, 2, 1}};

    ImplicitArguments place(isa::DeviceId device) {
        return place_implicit_arguments(signature_, isa::device(device), shape_, region_, 0x1234, memory_)
            .value();
    }
    std::span<const std::byte> table(const ImplicitArguments& placed, size_t bytes) {
        const auto address = at<uint64_t>(placed.block, 0x48);
        EXPECT_NE(memory_.find(address, bytes), nullptr);
        return {machine::Memory::host(address), bytes};
    }
};

TEST_F(Implicit, TheBlock) {
    const ImplicitArguments placed = place(isa::DeviceId::dg2);
    const std::span<const std::byte> block = placed.block;
    EXPECT_EQ(at<uint8_t>(block, 0), 0x60);
    EXPECT_EQ(block.size(), 0x60U);
    EXPECT_EQ(at<uint8_t>(block, 1), 0);
    EXPECT_EQ(at<uint8_t>(block, 2), 2) << "dimensions";
    EXPECT_EQ(at<uint8_t>(block, 3), 16) << "SIMD";
    EXPECT_EQ((at<std::array<uint32_t, 3>>(block, 0x04)), (std::array<uint32_t, 3>{8, 4, 1}))
        << "the nominal one (ruling 89)";
    EXPECT_EQ((at<std::array<uint64_t, 3>>(block, 0x10)), (std::array<uint64_t, 3>{20, 6, 1}));
    EXPECT_EQ(at<uint64_t>(block, 0x28), 0x1234U);
    EXPECT_EQ((at<std::array<uint64_t, 3>>(block, 0x30)), (std::array<uint64_t, 3>{3, 2, 0}));
    EXPECT_EQ((at<std::array<uint32_t, 3>>(block, 0x50)), (std::array<uint32_t, 3>{3, 2, 1}));
    EXPECT_EQ(std::memcmp(machine::Memory::host(placed.address), block.data(), block.size()), 0);
}

TEST_F(Implicit, LocalIdsInBlocksFromXehpOn) {
    region_.local = {5, 4, 1}; // 20 items: two threads
    const ImplicitArguments placed = place(isa::DeviceId::pvc);
    const auto ids = table(placed, size_t{2} * 16 * 6);
    EXPECT_EQ(at<uint16_t>(ids, 7 * 2), 2) << "x of item 7";
    EXPECT_EQ(at<uint16_t>(ids, 32 + 7 * 2), 1) << "its y";
    EXPECT_EQ(at<uint16_t>(ids, 64 + 7 * 2), 0);
    EXPECT_EQ(at<uint16_t>(ids, 96 + 3 * 2), 4) << "x of item 19, lane 3 of the second thread";
    EXPECT_EQ(at<uint16_t>(ids, 96 + 32 + 3 * 2), 3);
}

TEST_F(Implicit, NarrowThreadsHaveWholeBlocks) {
    signature_.simd = 8;
    region_.local = {10, 1, 1};
    const ImplicitArguments placed = place(isa::DeviceId::dg2);
    const auto ids = table(placed, size_t{2} * 16 * 6);
    EXPECT_EQ(at<uint16_t>(ids, 96), 8) << "the second thread's first lane";
}

TEST_F(Implicit, LocalIdsInThreesBefore) {
    region_.local = {5, 4, 1};
    const ImplicitArguments placed = place(isa::DeviceId::skl);
    const auto ids = table(placed, size_t{2} * 16 * 6);
    EXPECT_EQ(at<uint16_t>(ids, 7 * 6), 2);
    EXPECT_EQ(at<uint16_t>(ids, 7 * 6 + 2), 1);
    EXPECT_EQ(at<uint16_t>(ids, 7 * 6 + 4), 0);
    EXPECT_EQ(at<uint16_t>(ids, 19 * 6), 4);
    EXPECT_EQ(at<uint16_t>(ids, 19 * 6 + 2), 3);
}

TEST_F(Implicit, TheWalkOrderCounts) {
    signature_.walk_order = {1, 0, 2};
    region_.local = {5, 4, 1};
    const ImplicitArguments placed = place(isa::DeviceId::pvc);
    const auto ids = table(placed, size_t{2} * 16 * 6);
    EXPECT_EQ(at<uint16_t>(ids, 7 * 2), 1) << "y varies fastest: item 7 is (1, 3)";
    EXPECT_EQ(at<uint16_t>(ids, 32 + 7 * 2), 3);
}

class BindCalls : public testing::Test {
protected:
    machine::Memory memory_{uint64_t{1} << 30U};
    uint64_t y_ = memory_.allocate(400, "y").value();
    std::vector<ArgumentValue> values_{Buffer{y_, 400}, Buffer{y_, 400}, bytes_of(2.5F), bytes_of(100)};
    Zebin zebin_ = sample("saxpy.skl.zebin");
    Signature signature_ = zebin_.kernels.at(0).signature;
    Program program_ = program_of(zebin_.kernels.at(0).text, isa::DeviceId::skl);
    Geometry space_{.dimensions = 1, .global = {100, 1, 1}, .local = {64, 1, 1}, .allow_non_uniform = true};
};

TEST_F(BindCalls, EachThreadOfEachWorkerHasAStackOfItsOwn) {
    program_.calls = true;
    signature_.thread_memory.push_back({ThreadMemory::Type::global, "private_space", 40, true});
    const auto plan = launch::bind(signature_, program_, values_, space_, 3, 0, memory_);
    ASSERT_TRUE(plan) << plan.error().message;
    ASSERT_EQ(plan->launches.size(), 2U);
    const machine::Launch& launch = plan->launches[0];
    ASSERT_EQ(launch.private_blocks.size(), 6U) << "two threads on three workers";
    for (const uint64_t block : launch.private_blocks) {
        EXPECT_NE(memory_.find(block, 40 * 32), nullptr);
        EXPECT_EQ(memory_.find(block, 40 * 32 + 1), nullptr);
    }
    EXPECT_EQ(launch.private_blocks, plan->launches[1].private_blocks);
}

TEST_F(BindCalls, EachRegionHasItsOwnImplicitArguments) {
    program_.calls = true;
    const auto plan = launch::bind(signature_, program_, values_, space_, 1, 0, memory_);
    ASSERT_TRUE(plan) << plan.error().message;
    ASSERT_EQ(plan->launches.size(), 2U);
    EXPECT_NE(at<uint64_t>(plan->launches[0].implicit_arguments, 0x48),
              at<uint64_t>(plan->launches[1].implicit_arguments, 0x48))
        << "the tables of local ids";
    EXPECT_EQ(plan->resources.allocations.size(), 2U);
}

TEST_F(BindCalls, APayloadCanAskForTheirAddress) {
    signature_.payload.push_back({.kind = PayloadKind::implicit_arguments,
                                  .property = "implicit_arg_buffer",
                                  .offset = 80,
                                  .bytes = 8});
    const auto plan = launch::bind(signature_, program_, values_, space_, 1, 0, memory_);
    ASSERT_TRUE(plan) << plan.error().message;
    for (size_t i = 0; i < 2; ++i) {
        const auto address = at<uint64_t>(plan->launches[i].image, 80);
        EXPECT_EQ(address, plan->resources.allocations[i]);
        EXPECT_NE(memory_.find(address, 0x60), nullptr);
    }
}

TEST_F(BindCalls, WithoutCallsThereIsNothing) {
    const auto plan = launch::bind(signature_, program_, values_, space_, 1, 0, memory_);
    ASSERT_TRUE(plan);
    EXPECT_TRUE(plan->launches[0].implicit_arguments.empty());
    EXPECT_TRUE(plan->resources.allocations.empty());
}

} // namespace
} // namespace visor::launch
