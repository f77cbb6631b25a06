#include "capture/blocks.h"

#include <gtest/gtest.h>

namespace visor::capture {
namespace {

class BlocksOf : public testing::Test {
protected:
    Launch launch_;
    std::array<std::byte, 256> memory_{};

    void add(size_t begin, size_t bytes) {
        launch_.arguments.push_back({"", "", Object{.bytes = std::span(memory_).subspan(begin, bytes)}});
    }
    [[nodiscard]] size_t begin_of(const Block& block) const {
        return static_cast<size_t>(block.bytes.data() - memory_.data());
    }
};

TEST_F(BlocksOf, ObjectsThatLieApartStayApart) {
    add(128, 64);
    add(0, 64);
    add(64, 64); // a neighbour of both
    const Blocks blocks = blocks_of(launch_);
    ASSERT_EQ(blocks.all.size(), 3U);
    EXPECT_EQ(begin_of(blocks.all[0]), 0U);
    EXPECT_EQ(blocks.all[0].argument, 1U);
    EXPECT_EQ(blocks.all[1].argument, 2U);
    EXPECT_EQ(blocks.all[2].argument, 0U);
    EXPECT_EQ(blocks.places[0]->block, 2U);
    EXPECT_EQ(blocks.places[0]->offset, 0U);
}

TEST_F(BlocksOf, OneObjectTwiceIsOneBlock) {
    add(0, 64);
    add(0, 64);
    const Blocks blocks = blocks_of(launch_);
    ASSERT_EQ(blocks.all.size(), 1U);
    EXPECT_EQ(blocks.all[0].argument, 0U);
    EXPECT_EQ(blocks.places[1]->block, 0U);
}

TEST_F(BlocksOf, PartsThatOverlapAreOneBlockOfNoArgument) {
    add(0, 128);
    add(64, 128);
    const Blocks blocks = blocks_of(launch_);
    ASSERT_EQ(blocks.all.size(), 1U);
    EXPECT_EQ(blocks.all[0].bytes.size(), 192U);
    EXPECT_FALSE(blocks.all[0].argument.has_value());
    EXPECT_EQ(blocks.places[1]->offset, 64U);
}

TEST_F(BlocksOf, APartOfAnotherArgumentIsInItsBlock) {
    add(64, 32);
    add(0, 256);
    const Blocks blocks = blocks_of(launch_);
    ASSERT_EQ(blocks.all.size(), 1U);
    EXPECT_EQ(blocks.all[0].argument, 1U);
    EXPECT_EQ(blocks.places[0]->offset, 64U);
}

TEST_F(BlocksOf, WhatIsNoMemoryHasNoPlace) {
    launch_.arguments.push_back({"", "", Null{}});
    launch_.arguments.push_back({"", "", Local{64}});
    const Blocks blocks = blocks_of(launch_);
    EXPECT_TRUE(blocks.all.empty());
    EXPECT_FALSE(blocks.places[0].has_value());
}

} // namespace
} // namespace visor::capture
