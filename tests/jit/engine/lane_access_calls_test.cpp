// Gather and scatter calls of tier 1 code.
#include "jit/engine/lane_access_calls.h"

#include <array>
#include <cstring>
#include <gtest/gtest.h>

namespace visor::jit {
namespace {

constexpr uint64_t no_mask = UINT64_MAX;

// Sixteen bytes 0x10 to 0x1f; loads four lanes of `bits` bits at these offsets.
template <class Unit>
std::array<Unit, 4> loaded(const std::array<uint32_t, 4>& places, uint32_t on, uint64_t displacement,
                           uint64_t bytes = 16, uint64_t mask = no_mask) {
    std::array<std::byte, 16> surface{};
    for (size_t i = 0; i < surface.size(); ++i)
        surface[i] = static_cast<std::byte>(0x10 + i);
    std::array<Unit, 4> values{};
    values.fill(static_cast<Unit>(-1));
    lane_access_calls().load_surface(places.data(), reinterpret_cast<std::byte*>(values.data()), on,
                                     lane_shape(4, 8 * sizeof(Unit)), displacement, surface.data(), bytes,
                                     mask);
    return values;
}

TEST(LaneAccessCalls, LoadsOfASurface) {
    EXPECT_EQ(loaded<uint8_t>({0, 15, 16, 3}, 0xf, 0), (std::array<uint8_t, 4>{0x10, 0x1f, 0, 0x13}));
    EXPECT_EQ(loaded<uint16_t>({0, 14, 15, 3}, 0xf, 0), (std::array<uint16_t, 4>{0x1110, 0x1f1e, 0, 0x1413}));
    EXPECT_EQ(loaded<uint32_t>({0, 12, 13, 1}, 0xf, 0),
              (std::array<uint32_t, 4>{0x13121110, 0x1f1e1d1c, 0, 0x14131211}));
    EXPECT_EQ(loaded<uint64_t>({0, 8, 9, 4}, 0xf, 0),
              (std::array<uint64_t, 4>{0x1716151413121110, 0x1f1e1d1c1b1a1918, 0, 0x1b1a191817161514}));
}

TEST(LaneAccessCalls, LanesThatAreOffLoadZeros) {
    EXPECT_EQ(loaded<uint8_t>({0, 1, 2, 3}, 0x6, 0), (std::array<uint8_t, 4>{0, 0x11, 0x12, 0}));
}

TEST(LaneAccessCalls, BoundsAreThoseOfTheDisplacedUnit) {
    EXPECT_EQ(loaded<uint32_t>({0, 4, 8, UINT32_MAX}, 0xf, 8),
              (std::array<uint32_t, 4>{0x1b1a1918, 0x1f1e1d1c, 0, 0}));
    EXPECT_EQ(loaded<uint32_t>({0, 0, 0, 0}, 0xf, 0, 3), (std::array<uint32_t, 4>{}));
    EXPECT_EQ(loaded<uint32_t>({0, 0, 0, 0}, 0xf, 0, 0), (std::array<uint32_t, 4>{}));
}

TEST(LaneAccessCalls, TheMaskComesFirst) {
    EXPECT_EQ(loaded<uint8_t>({0x10000001, 1, 0x20000001, 2}, 0xf, 0, 16, ~(uint64_t{1} << 28U)),
              (std::array<uint8_t, 4>{0x11, 0x11, 0, 0x12}));
}

TEST(LaneAccessCalls, OfTwoStoresTheLaterLaneStays) {
    std::array<uint32_t, 4> surface{1, 2, 3, 4};
    const std::array<uint32_t, 4> places{4, 4, 12, 16};
    const std::array<uint32_t, 4> values{10, 20, 30, 40};
    lane_access_calls().store_surface(places.data(), reinterpret_cast<const std::byte*>(values.data()), 0xb,
                                      lane_shape(4, 32), 0, reinterpret_cast<std::byte*>(surface.data()),
                                      sizeof surface, no_mask);
    EXPECT_EQ(surface, (std::array<uint32_t, 4>{1, 20, 3, 4}));
}

TEST(LaneAccessCalls, FlatOnes) {
    std::array<uint16_t, 4> memory{1, 2, 3, 4};
    const auto begin = reinterpret_cast<uint64_t>(memory.data());
    // Lane 1 is disabled, with an invalid address.
    const std::array<uint64_t, 4> places{begin + 4, 0, begin, begin + 1};
    std::array<uint16_t, 4> values{};
    lane_access_calls().load_flat(places.data(), reinterpret_cast<std::byte*>(values.data()), 0xd,
                                  lane_shape(4, 16), 2);
    EXPECT_EQ(values, (std::array<uint16_t, 4>{4, 0, 2, 0x0300}));
    values = {7, 8, 9, 10};
    lane_access_calls().store_flat(places.data(), reinterpret_cast<const std::byte*>(values.data()), 0x5,
                                   lane_shape(4, 16), 2);
    EXPECT_EQ(memory, (std::array<uint16_t, 4>{1, 9, 3, 7}));
}

TEST(LaneAccessCalls, Extremes) {
    constexpr std::array<uint64_t, 4> places{40, 8, 16, 4};
    const Extremes three = extremes(places.data(), 0x7, 4, 2);
    EXPECT_EQ(three.first, 10U);
    EXPECT_EQ(three.last, 42U);
    const Extremes none = extremes(places.data(), 0, 4, 2);
    EXPECT_EQ(none.first, UINT64_MAX);
    EXPECT_EQ(none.last, 0U);
}

} // namespace
} // namespace visor::jit
