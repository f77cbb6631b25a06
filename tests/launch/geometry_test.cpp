#include "launch/geometry.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace visor::launch {
namespace {

using Size = std::array<uint32_t, 3>;

Signature signature(uint32_t simd, Size required = {}) {
    Signature out;
    out.name = "k";
    out.simd = simd;
    out.required_group_size = required;
    return out;
}

Geometry space(std::vector<uint64_t> global, std::vector<uint32_t> local = {}, bool non_uniform = false) {
    Geometry out;
    out.dimensions = static_cast<uint32_t>(global.size());
    std::ranges::copy(global, out.global.begin());
    std::ranges::copy(local, out.local.begin());
    out.allow_non_uniform = non_uniform;
    return out;
}

const isa::Device& skl = isa::device(isa::DeviceId::skl); // at most 256 work-items

std::expected<Shape, std::string> shape(const Geometry& geometry, const Signature& kernel = signature(32)) {
    return shape_of(kernel, skl, geometry);
}

std::string error_of(const Geometry& geometry, const Signature& kernel = signature(32)) {
    const auto result = shape(geometry, kernel);
    EXPECT_FALSE(result);
    return result ? "" : result.error();
}

TEST(Shape, OneRegionWhenTheSizesDivide) {
    const auto result = shape(space({64, 6, 2}, {16, 3, 1}));
    ASSERT_TRUE(result);
    EXPECT_EQ(result->group_count, (Size{4, 2, 2}));
    ASSERT_EQ(result->regions.size(), 1U);
    EXPECT_EQ(result->regions[0].groups, (Size{4, 2, 2}));
    EXPECT_EQ(result->regions[0].first_group, (Size{0, 0, 0}));
    EXPECT_EQ(result->regions[0].local, (Size{16, 3, 1}));
}

TEST(Shape, DimensionsThatAreNotUsedAreOne) {
    Geometry geometry = space({64}, {16});
    geometry.global = {64, 9, 9};
    geometry.local = {16, 9, 9};
    geometry.offset = {1, 9, 9};
    const auto result = shape(geometry);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->global, (Size{64, 1, 1}));
    EXPECT_EQ(result->local, (Size{16, 1, 1}));
    EXPECT_EQ(result->offset, (Size{1, 0, 0}));
    EXPECT_EQ(result->group_count, (Size{4, 1, 1}));
}

TEST(Shape, ARestMakesRegions) {
    const auto result = shape(space({10, 7}, {4, 4}, true));
    ASSERT_TRUE(result);
    EXPECT_EQ(result->group_count, (Size{3, 2, 1}));
    ASSERT_EQ(result->regions.size(), 4U);
    EXPECT_EQ(result->regions[0].local, (Size{4, 4, 1}));
    EXPECT_EQ(result->regions[0].groups, (Size{2, 1, 1}));
    EXPECT_EQ(result->regions[1].local, (Size{2, 4, 1}));
    EXPECT_EQ(result->regions[1].first_group, (Size{2, 0, 0}));
    EXPECT_EQ(result->regions[1].groups, (Size{1, 1, 1}));
    EXPECT_EQ(result->regions[2].local, (Size{4, 3, 1}));
    EXPECT_EQ(result->regions[2].first_group, (Size{0, 1, 0}));
    EXPECT_EQ(result->regions[3].local, (Size{2, 3, 1}));
    EXPECT_EQ(result->regions[3].first_group, (Size{2, 1, 0}));
}

TEST(Shape, EightRegionsAtMostAndAllWorkItemsOnce) {
    const auto result = shape(space({10, 7, 5}, {4, 4, 2}, true));
    ASSERT_TRUE(result);
    EXPECT_EQ(result->regions.size(), 8U);
    uint64_t items = 0;
    for (const Region& region : result->regions) {
        uint64_t product = 1;
        for (size_t d = 0; d < 3; ++d)
            product *= uint64_t{region.groups[d]} * region.local[d];
        items += product;
    }
    EXPECT_EQ(items, 10U * 7 * 5);
}

TEST(Shape, AGlobalSizeBelowTheLocalSizeIsOneSmallGroup) {
    const auto result = shape(space({3}, {16}, true));
    ASSERT_TRUE(result);
    ASSERT_EQ(result->regions.size(), 1U);
    EXPECT_EQ(result->regions[0].local, (Size{3, 1, 1}));
    EXPECT_EQ(result->local, (Size{16, 1, 1})) << "the nominal size stays";
}

TEST(Shape, NoWorkItemsNoRegion) {
    const auto result = shape(space({64, 0}, {16, 4}));
    ASSERT_TRUE(result);
    EXPECT_TRUE(result->regions.empty());
    EXPECT_TRUE(shape(space({0}))->regions.empty()) << "also when the local size is chosen";
}

TEST(Shape, ErrorsNameTheSizes) {
    EXPECT_EQ(error_of(space({10}, {4})),
              "the global size 10 in dimension 0 is not a multiple of the local size 4: "
              "OpenCL C 2.0 (--options -cl-std=CL2.0) allows that");
    EXPECT_EQ(
        error_of(space({1024, 2}, {256, 2})),
        "the local size 256x2 is too large: a work-group of this kernel (SIMD32) on skl has at most 256 "
        "work-items");
    EXPECT_EQ(error_of(space({1, 1, 1}, {4194304, 4194304, 4194304})),
              "the local size 4194304x4194304x4194304 is too large: a work-group of this kernel (SIMD32) on "
              "skl has "
              "at most 256 work-items")
        << "whose product is 2^66";
    EXPECT_EQ(error_of(space({uint64_t{1} << 32U}, {1})),
              "the global size 4294967296 in dimension 0 does not fit 32 bits");
    EXPECT_EQ(error_of(space({16, 8, 2}, {4, 4, 2}), signature(32, {8, 4, 2})),
              "kernel `k` requires the local size 8x4x2, not 4x4x2");
    EXPECT_EQ(error_of(space({4294967295, 4294967295}, {1, 1})),
              "the global size 4294967295x4294967295 makes too many work-groups");
    Geometry geometry = space({16}, {16});
    geometry.offset[0] = uint64_t{1} << 40U;
    EXPECT_EQ(error_of(geometry), "the global offset 1099511627776 in dimension 0 does not fit 32 bits");
    geometry.dimensions = 4;
    EXPECT_EQ(error_of(geometry), "an index space has 1 to 3 dimensions, not 4");
}

TEST(ChooseLocalSize, TakesTheRequiredOne) {
    EXPECT_EQ(choose_local_size(signature(16, {8, 4, 2}), skl, space({16, 16, 16})), (Size{8, 4, 2}));
}

TEST(ChooseLocalSize, FillsWholeThreads) {
    EXPECT_EQ(choose_local_size(signature(32), skl, space({1024})), (Size{256, 1, 1}));
    EXPECT_EQ(choose_local_size(signature(32), skl, space({96})), (Size{96, 1, 1}));
    EXPECT_EQ(choose_local_size(signature(32), skl, space({480})), (Size{160, 1, 1}))
        << "240 leaves half a thread";
    EXPECT_EQ(choose_local_size(signature(16), skl, space({480})), (Size{240, 1, 1}));
    EXPECT_EQ(choose_local_size(signature(16), skl, space({8, 8})), (Size{8, 8, 1}));
    EXPECT_EQ(choose_local_size(signature(32), skl, space({100})), (Size{100, 1, 1}))
        << "nothing fills whole threads";
    EXPECT_EQ(choose_local_size(signature(8), isa::device(isa::DeviceId::pvc), space({4096})),
              (Size{512, 1, 1}))
        << "64 threads of 8 lanes";
}

TEST(ChooseLocalSize, APrimeNeedsUnevenGroups) {
    EXPECT_EQ(choose_local_size(signature(32), skl, space({1009})), (Size{1, 1, 1}));
    EXPECT_EQ(choose_local_size(signature(32), skl, space({1009}, {}, true)), (Size{256, 1, 1}));
}

TEST(ChooseLocalSize, HugeSpacesAreNoMatter) {
    EXPECT_EQ(choose_local_size(signature(32), skl, space({4194304, 4194304, 4194304})), (Size{256, 1, 1}));
}

TEST(SetRegion, CountsThreadsAndLanes) {
    machine::Launch launch;
    launch.simd = 32;
    set_region(launch, {{1, 2, 3}, {4, 5, 6}, {10, 7, 1}});
    EXPECT_EQ(launch.threads, 3U) << "70 work-items";
    EXPECT_EQ(launch.last_thread_lanes, 6U);
    EXPECT_EQ(launch.groups, (Size{4, 5, 6}));
    EXPECT_EQ(launch.first_group, (Size{1, 2, 3}));
    EXPECT_EQ(launch.local_size, (Size{10, 7, 1}));
    set_region(launch, {{}, {1, 1, 1}, {64, 1, 1}});
    EXPECT_EQ(launch.threads, 2U);
    EXPECT_EQ(launch.last_thread_lanes, 0U) << "all of them";
}

TEST(BlankLaunch, PresetsThePredefinedSurfaces) {
    Program program;
    program.surface_base = {0, 1, 2, 3, 4, 5, 6};
    program.surface_elements = 8;
    program.sampler_elements = 1;
    machine::Memory memory(1 << 20);
    const machine::Launch launch = blank_launch(program, 16, memory);
    EXPECT_EQ(launch.preset_surfaces,
              (std::vector<uint32_t>{254, 1, 2, 256, 252, 255, UINT32_MAX, UINT32_MAX}));
    EXPECT_EQ(launch.preset_samplers, (std::vector<uint32_t>{UINT32_MAX}));
    EXPECT_EQ(launch.simd, 16U);
    EXPECT_EQ(launch.program, &program);
    EXPECT_EQ(launch.memory, &memory);
}

} // namespace
} // namespace visor::launch
