#include "machine/thread_payload.h"

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

TEST(SharedInputs, AreWhatTheImageHasWhereNoThreadHasSomethingOfItsOwn) {
    Launch launch = launch_of({16, 16, 1}, 16); // lanes' ids at 64 to 96 and 96 to 128
    launch.image_inputs = {{.register_offset = 136, .image_offset = 8, .bytes = 4},
                           {.register_offset = 128, .image_offset = 0, .bytes = 8},
                           {.register_offset = 120, .image_offset = 16, .bytes = 16}, // half of it ids
                           {.register_offset = 160, .image_offset = 32, .bytes = 0},
                           {.register_offset = 192, .image_offset = 32, .bytes = 32}};
    const std::vector<SharedInput> both{{128, 140}, {192, 224}};
    EXPECT_EQ(shared_inputs(launch), both);
}

TEST(SharedInputs, AreNumbersAndBack) {
    const std::vector<SharedInput> inputs{{128, 140}, {192, 224}};
    EXPECT_EQ(numbers_of(inputs), (std::vector<uint32_t>{128, 140, 192, 224}));
    EXPECT_EQ(shared_inputs_of(numbers_of(inputs)), inputs);
    EXPECT_EQ(shared_inputs_of(std::vector<uint32_t>{128, 140, 192}), std::nullopt);
}

} // namespace
} // namespace visor::machine
