// bench/compare/rounds: whose results count as the first one's.
#include "compare/rounds.h"

#include <array>
#include <cstring>
#include <gtest/gtest.h>

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

// Another process that has ended has no bytes to give.
TEST(Check, WhatCannotBeReadIsNoResult) {
    for (const double tolerance : {0.0, 0.25, -1.0}) {
        EXPECT_FALSE(passes(tolerance, {1, 2}, {})) << tolerance;
        EXPECT_FALSE(passes(tolerance, {1, 2}, {1})) << tolerance;
    }
}

} // namespace

} // namespace visor::compare
