#include "machine/computed.h"

#include <gtest/gtest.h>

#include <numeric>

namespace visor::machine {
namespace {

// 16 lanes a thread (launch ABI 2.2: x varies fastest).
Launch launch_of(std::array<uint32_t, 3> local_size, uint32_t threads) {
    Launch launch;
    launch.local_size = local_size;
    launch.simd = 16;
    launch.threads = threads;
    launch.computed_inputs = {{.filler = Filler::local_id_x, .register_offset = 64, .lanes = 16},
                              {.filler = Filler::local_id_y, .register_offset = 96, .lanes = 16}};
    return launch;
}

std::vector<uint32_t> ascending() {
    std::vector<uint32_t> steps(16);
    std::iota(steps.begin(), steps.end(), 0);
    return steps;
}

TEST(LaneSteps, TellsStepsAndTheLargestFirstLane) {
    const std::vector<uint32_t> none(16, 0);
    // A thread is a row: x is 0 ... 15 in each, y the row.
    const std::vector<LaneSteps> tile{{64, 2, ascending(), 0}, {96, 2, none, 15}};
    EXPECT_EQ(lane_steps(launch_of({16, 16, 1}, 16)), tile);
    // The last of sixteen threads begins with 240.
    const std::vector<LaneSteps> line{{64, 2, ascending(), 240}, {96, 2, none, 0}};
    EXPECT_EQ(lane_steps(launch_of({256, 1, 1}, 16)), line);
}

TEST(LaneSteps, LanesThatBeginAnewSomewhereElseInEachThreadHaveNone) {
    EXPECT_TRUE(lane_steps(launch_of({20, 4, 1}, 5)).empty());
}

TEST(LaneSteps, AreNumbersAndBack) {
    const std::vector<LaneSteps> steps = lane_steps(launch_of({16, 16, 1}, 16));
    EXPECT_EQ(inputs_of(numbers_of(steps)), steps);
    std::vector<uint32_t> cut = numbers_of(steps);
    cut.pop_back();
    EXPECT_EQ(inputs_of(cut), std::nullopt);
}

} // namespace
} // namespace visor::machine
