#include "cli/launch/expectation.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace visor::cli {
namespace {

template <class T>
std::vector<std::byte> bytes(const std::vector<T>& values) {
    const auto view = std::as_bytes(std::span(values));
    return {view.begin(), view.end()};
}

template <class T>
bool equal(Element element, T got, T expected, const Tolerance& tolerance = {}) {
    return !compare(element, bytes(std::vector{got}), bytes(std::vector{expected}), tolerance);
}

Tolerance absolute(double most) {
    return {.absolute = most, .relative = {}, .ulps = {}};
}
Tolerance relative(double most) {
    return {.absolute = {}, .relative = most, .ulps = {}};
}
Tolerance ulps(uint64_t most) {
    return {.absolute = {}, .relative = {}, .ulps = most};
}

TEST(Expectation, NamesTheFirstAndCountsAll) {
    const auto found = compare(Element::i32, bytes<int32_t>({1, 2, 3, 4}), bytes<int32_t>({1, 5, 3, -4}), {});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->index, 1U);
    EXPECT_EQ(found->count, 2U);
    EXPECT_EQ(found->got, "2");
    EXPECT_EQ(found->expected, "5");
}

TEST(Expectation, ExactIsTheSameNumber) {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    constexpr float infinity = std::numeric_limits<float>::infinity();
    EXPECT_TRUE(equal(Element::f32, 0.0F, -0.0F));
    EXPECT_TRUE(equal(Element::f32, nan, -nan));
    EXPECT_FALSE(equal(Element::f32, nan, 0.0F, absolute(1e30)));
    EXPECT_FALSE(equal(Element::f32, 1.0F, std::nextafter(1.0F, 2.0F)));
    EXPECT_TRUE(equal(Element::f32, infinity, infinity));
    EXPECT_FALSE(equal(Element::f32, infinity, -infinity, relative(10)));
    EXPECT_FALSE(equal(Element::f32, infinity, std::numeric_limits<float>::max(), ulps(1)));
}

TEST(Expectation, AnyToleranceIsEnough) {
    EXPECT_TRUE(equal(Element::f64, 10.5, 10.0, absolute(0.5)));
    EXPECT_FALSE(equal(Element::f64, 10.5, 10.0, absolute(0.4)));
    EXPECT_TRUE(equal(Element::f64, 10.5, 10.0, relative(0.05)));
    EXPECT_TRUE(equal(Element::f64, -9.5, -10.0, relative(0.05)));
    EXPECT_FALSE(equal(Element::f64, 10.5, 10.0, relative(0.04)));
    EXPECT_TRUE(equal(Element::f64, 10.5, 10.0, {.absolute = 0.1, .relative = 0.05, .ulps = 0}));
}

TEST(Expectation, StepsOfEachFloatType) {
    EXPECT_TRUE(equal<uint16_t>(Element::f16, 0x3c01, 0x3c00, ulps(1)));
    EXPECT_FALSE(equal<uint16_t>(Element::f16, 0x3c02, 0x3c00, ulps(1)));
    EXPECT_TRUE(equal<uint16_t>(Element::bf16, 0x3f82, 0x3f80, ulps(2)));
    EXPECT_TRUE(equal<uint32_t>(Element::f32, 0x00000001, 0x80000001, ulps(2))) << "across zero";
    EXPECT_FALSE(equal<uint32_t>(Element::f32, 0x00000001, 0x80000001, ulps(1)));
    EXPECT_TRUE(equal<uint64_t>(Element::f64, 0x3ff0000000000003, 0x3ff0000000000000, ulps(3)));
}

TEST(Expectation, IntegersAtTheirEnds) {
    EXPECT_TRUE(equal<uint8_t>(Element::u8, 250, 255, absolute(5)));
    EXPECT_FALSE(equal<uint8_t>(Element::u8, 0, 255, absolute(5)));
    EXPECT_TRUE(equal<int8_t>(Element::i8, -128, -126, absolute(2)));
    EXPECT_FALSE(equal<int8_t>(Element::i8, -128, 127, absolute(254)));
    EXPECT_FALSE(equal<int64_t>(Element::i64, INT64_MIN, INT64_MAX, absolute(1e18)));
    EXPECT_FALSE(equal<uint64_t>(Element::u64, UINT64_MAX, UINT64_MAX - 1));
    EXPECT_TRUE(equal<uint64_t>(Element::u64, UINT64_MAX, UINT64_MAX - 1, absolute(1)));
}

} // namespace
} // namespace visor::cli
