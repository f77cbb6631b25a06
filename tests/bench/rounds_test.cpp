// bench/compare/rounds: whose results count as the first one's.
#include "compare/rounds.h"

#include <array>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

namespace visor::compare {

namespace {

// Leaves these floats, or nothing that can be read.
class Fake final : public Runner {
public:
    explicit Fake(std::vector<float> left) : left_(std::move(left)) {}
    [[nodiscard]] bool run() override { return true; }
    void reset() override {}
    [[nodiscard]] std::vector<std::byte> content(size_t /*buffer*/) override {
        std::vector<std::byte> bytes(left_.size() * sizeof(float));
        if (!left_.empty())
            std::memcpy(bytes.data(), left_.data(), bytes.size());
        return bytes;
    }

private:
    std::vector<float> left_;
};

// Whether the second one's floats pass for the first one's.
bool passes(double tolerance, const std::vector<float>& first, const std::vector<float>& second) {
    Work work{.name = "fake"};
    work.buffers.push_back({.content = {}, .is_result = true});
    work.tolerance = tolerance;
    std::array<Contender, 2> both{{{.name = "one", .runner = std::make_unique<Fake>(first)},
                                   {.name = "two", .runner = std::make_unique<Fake>(second)}}};
    check(work, both);
    EXPECT_TRUE(both[0].fine);
    return both[1].fine;
}

TEST(Check, ResultsAreComparedWithinTheTolerance) {
    EXPECT_TRUE(passes(0, {1, 2}, {1, 2}));
    EXPECT_FALSE(passes(0, {1, 2}, {1, 2.5}));
    EXPECT_TRUE(passes(0.25, {1, 2}, {1, 2.5}));
    EXPECT_FALSE(passes(0.125, {1, 2}, {1, 2.5}));
}

TEST(Check, NotANumberIsEqualToItselfAlone) {
    const float none = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(passes(0.25, {1, none}, {1, -none}));
    EXPECT_FALSE(passes(0.25, {1, none}, {1, 2}));
    EXPECT_FALSE(passes(0.25, {1, 2}, {1, none}));
}

// PoCL's result counts for nothing where the work says so: the next one's does.
TEST(Check, AWrongReferenceIsNotCompared) {
    Work work{.name = "fake"};
    work.buffers.push_back({.content = {}, .is_result = true});
    work.pocl_is_wrong = "it is";
    std::array<Contender, 4> all{
        {{.name = "PoCL", .runner = std::make_unique<Fake>(std::vector<float>{1})},
         {.name = "nobody"},
         {.name = "two", .runner = std::make_unique<Fake>(std::vector<float>{2})},
         {.name = "three", .runner = std::make_unique<Fake>(std::vector<float>{3})}}};
    check(work, all);
    EXPECT_TRUE(all[0].fine);
    EXPECT_TRUE(all[2].fine);
    EXPECT_FALSE(all[3].fine);
}

// The type of each buffer, not of the whole work.
TEST(Check, BuffersAreComparedAsTheirElements) {
    Work work{.name = "fake"};
    work.buffers.push_back({.content = {}, .is_result = true, .compared = Compared::bits});
    work.tolerance = 0.25;
    std::array<Contender, 2> both{
        {{.name = "one", .runner = std::make_unique<Fake>(std::vector<float>{2})},
         {.name = "two", .runner = std::make_unique<Fake>(std::vector<float>{2.25})}}};
    check(work, both);
    EXPECT_FALSE(both[1].fine);
    work.buffers[0].compared = Compared::single_floats;
    check(work, both);
    EXPECT_TRUE(both[1].fine);
}

// Another process that has ended has no bytes to give.
TEST(Check, WhatCannotBeReadIsNoResult) {
    for (const double tolerance : {0.0, 0.25, -1.0}) {
        EXPECT_FALSE(passes(tolerance, {1, 2}, {})) << tolerance;
        EXPECT_FALSE(passes(tolerance, {1, 2}, {1})) << tolerance;
    }
}

} // namespace

} // namespace visor::compare
