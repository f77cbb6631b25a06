#include "machine/payload_lanes.h"

#include <gtest/gtest.h>

namespace visor::machine {
namespace {

using Lanes = std::vector<uint64_t>;

Lanes values(const Launch& launch, uint32_t thread, Filler filler, uint32_t first, uint32_t lanes) {
    Lanes out(lanes);
    lane_values(
        launch, 0, thread,
        {.filler = filler, .first_lane = static_cast<uint8_t>(first), .lanes = static_cast<uint8_t>(lanes)},
        out);
    return out;
}

// A group of 3 x 2 x 2 items in threads of 8 lanes; ids by hand (launch ABI 2.2).
TEST(LaneValues, LocalIdsFollowTheWalkOrder) {
    Launch launch;
    launch.local_size = {3, 2, 2};
    launch.simd = 8;
    EXPECT_EQ(values(launch, 0, Filler::local_id_x, 0, 8), (Lanes{0, 1, 2, 0, 1, 2, 0, 1}));
    EXPECT_EQ(values(launch, 0, Filler::local_id_y, 0, 8), (Lanes{0, 0, 0, 1, 1, 1, 0, 0}));
    EXPECT_EQ(values(launch, 0, Filler::local_id_z, 0, 8), (Lanes{0, 0, 0, 0, 0, 0, 1, 1}));
    // The second thread begins in the midst of a row. Behind the group's last item the ids go on.
    EXPECT_EQ(values(launch, 1, Filler::local_id_x, 0, 6), (Lanes{2, 0, 1, 2, 0, 1}));
    EXPECT_EQ(values(launch, 1, Filler::local_id_y, 0, 6), (Lanes{0, 1, 1, 1, 0, 0}));
    EXPECT_EQ(values(launch, 1, Filler::local_id_z, 0, 6), (Lanes{1, 1, 1, 1, 2, 2}));
    EXPECT_EQ(values(launch, 0, Filler::local_id_x, 4, 4), (Lanes{1, 2, 0, 1}));
    launch.walk_order = {2, 0, 1}; // z first, then x
    EXPECT_EQ(values(launch, 0, Filler::local_id_z, 0, 8), (Lanes{0, 1, 0, 1, 0, 1, 0, 1}));
    EXPECT_EQ(values(launch, 0, Filler::local_id_x, 0, 8), (Lanes{0, 0, 1, 1, 2, 2, 0, 0}));
    EXPECT_EQ(values(launch, 0, Filler::local_id_y, 0, 8), (Lanes{0, 0, 0, 0, 0, 0, 1, 1}));
}

TEST(LaneValues, WhatIsNoId) {
    Launch launch;
    launch.threads = 4;
    launch.private_base = 1000;
    launch.private_bytes = 64;
    EXPECT_EQ(values(launch, 3, Filler::lane, 5, 3), (Lanes{5, 6, 7}));
    EXPECT_EQ(values(launch, 3, Filler::thread, 0, 2), (Lanes{3, 3}));
    EXPECT_EQ(values(launch, 3, Filler::private_base, 0, 1), (Lanes{1192}));
    EXPECT_EQ(values(launch, 0, Filler::local_id_x, 0, 0), Lanes{});
    launch.local_size = {0, 0, 0}; // as of one
    EXPECT_EQ(values(launch, 0, Filler::local_id_z, 0, 3), (Lanes{0, 1, 2}));
}

} // namespace
} // namespace visor::machine
