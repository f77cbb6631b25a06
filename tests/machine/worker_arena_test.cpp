#include "machine/worker_arena.h"

#include "empty_program.h"
#include "guard_death.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <unistd.h>

namespace visor::machine {
namespace {

Launch launch_of(const Program& program, uint32_t threads) {
    Launch launch;
    launch.program = &program;
    launch.threads = threads;
    launch.computed_inputs = {{Filler::local_id_x, 64, 0, 16, 2}};
    return launch;
}

// As a launch that ended well leaves it.
WorkerArena left_by(const Launch& launch) {
    WorkerArena room;
    EXPECT_TRUE(room.allocate(launch, 32).has_value());
    EXPECT_FALSE(room.prepare(launch));
    for (Thread& thread : room.threads) {
        thread.untouched = true;
        thread.sites.resize(3);
        thread.allocation = {.low = 4096, .high = 8192};
    }
    return room;
}

TEST(WorkerArena, HasWhatALaunchNeeds) {
    const Program program = empty_program();
    Launch launch = launch_of(program, 3);
    launch.slm_bytes = 100;
    const WorkerArena room = left_by(launch);
    EXPECT_EQ(room.threads.size(), 3U);
    EXPECT_EQ(room.order.size(), 3U);
    EXPECT_EQ(room.scratch.size(), 192U); // each at a line
    EXPECT_EQ(room.slm.size(), 100U);
    EXPECT_EQ(room.registers.size(), size_t{3} * program.register_bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(room.registers.data()) % 64, 0U);
}

TEST(RoomDeathTest, MemoryLiesBetweenGuards) {
    const Program program = empty_program();
    Launch launch = launch_of(program, 3);
    launch.slm_bytes = 128;
    WorkerArena room = left_by(launch);
    std::byte* const registers = room.registers.data();
    expect_guarded(registers, registers + size_t{3} * program.register_bytes);
    expect_guarded(room.slm.data(), room.slm.data() + 128);
    // 32 bytes of a line are the last thread's.
    expect_guarded(room.scratch_of(0).data(), room.scratch_of(2).data() + 64);
}

// As when another program's launch is refused in between.
TEST(WorkerArena, KnowsNobodyAfterMemoryWasRefused) {
    const Program program = empty_program();
    const Launch launch = launch_of(program, 3);
    WorkerArena room = left_by(launch);
    EXPECT_FALSE(room.allocate(launch, size_t{1} << 50U).has_value());
    EXPECT_TRUE(room.allocate(launch, 32).has_value());
    EXPECT_FALSE(room.prepare(launch));
}

TEST(WorkerArena, MemoryBeginsAtLines) {
    const Program program = empty_program();
    Launch launch = launch_of(program, 3);
    launch.slm_bytes = 100;
    WorkerArena room = left_by(launch);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(room.slm.data()) % 64, 0U);
    for (uint32_t thread = 0; thread < 3; ++thread) {
        EXPECT_EQ(room.scratch_of(thread).size(), 32U);
        EXPECT_EQ(reinterpret_cast<uintptr_t>(room.scratch_of(thread).data()) % 64, 0U);
    }
}

// 20 bytes, a gap, and the arguments from 64 on.
TEST(WorkerArena, ScratchBeginsWithZerosAndTheImplicitArguments) {
    Launch launch;
    launch.scratch_bytes = 20;
    launch.implicit_arguments = {std::byte{1}, std::byte{2}, std::byte{3}};
    std::vector<std::byte> scratch(67, std::byte{9});
    begin_scratch(launch, scratch);
    std::vector<std::byte> want(67);
    std::ranges::copy(launch.implicit_arguments, want.begin() + 64);
    EXPECT_EQ(scratch, want);
    launch.implicit_arguments.clear();
    begin_scratch(launch, scratch);
    EXPECT_EQ(scratch, std::vector<std::byte>(67));
}

TEST(WorkerArena, KnowsTheSameLaunchAgain) {
    const Program program = empty_program();
    Launch launch = launch_of(program, 3);
    WorkerArena room = left_by(launch);
    room.threads[1].untouched = false;
    launch.groups = {7, 1, 1}; // says nothing about a thread
    EXPECT_TRUE(room.prepare(launch));
    EXPECT_TRUE(room.threads[0].untouched);
    EXPECT_FALSE(room.threads[1].untouched);
}

TEST(WorkerArena, ForgetsWhatWasFoundInMemory) {
    const Program program = empty_program();
    const Launch launch = launch_of(program, 2);
    WorkerArena room = left_by(launch);
    EXPECT_TRUE(room.prepare(launch));
    for (const Thread& thread : room.threads) {
        EXPECT_TRUE(thread.sites.empty());
        EXPECT_EQ(thread.allocation.high, 0U);
    }
}

TEST(WorkerArena, TakesOtherLaunchesForOthers) {
    const Program program = empty_program();
    const Program other = empty_program();
    const auto is_other = [&](const Launch& launch) {
        WorkerArena room = left_by(launch_of(program, 3));
        const bool known = room.prepare(launch);
        for (const Thread& thread : room.threads)
            EXPECT_FALSE(thread.untouched);
        return !known && room.threads.size() == launch.threads;
    };
    EXPECT_TRUE(is_other(launch_of(other, 3)));
    EXPECT_TRUE(is_other(launch_of(program, 2)));
    EXPECT_TRUE(is_other(launch_of(program, 4)));
    Launch launch = launch_of(program, 3);
    launch.local_size = {5, 1, 1};
    EXPECT_TRUE(is_other(launch));
    launch = launch_of(program, 3);
    launch.image_inputs = {{32, 0, 8}};
    EXPECT_TRUE(is_other(launch));
}

// Which block is a thread's hangs on the worker.
TEST(WorkerArena, DoesNotKnowPrivateMemory) {
    const Program program = empty_program();
    Launch launch = launch_of(program, 3);
    launch.computed_inputs.push_back({Filler::private_base, 128, 0, 1, 8});
    WorkerArena room = left_by(launch);
    EXPECT_FALSE(room.prepare(launch));
}

TEST(WorkerArenas, GiveOutWhatWasGivenBack) {
    const Program program = empty_program();
    const Launch launch = launch_of(program, 3);
    WorkerArenas rooms;
    EXPECT_TRUE(rooms.take(&program, 0).threads.empty());
    rooms.give_back(left_by(launch));
    EXPECT_EQ(rooms.take(&program, 0).threads.size(), 3U);
    EXPECT_TRUE(rooms.take(&program, 0).threads.empty());
}

TEST(WorkerArenas, GiveAProgramItsOwn) {
    const Program program = empty_program();
    const Program other = empty_program();
    WorkerArenas rooms;
    rooms.give_back(left_by(launch_of(program, 3)));
    rooms.give_back(left_by(launch_of(other, 5)));
    EXPECT_EQ(rooms.take(&program, 0).threads.size(), 3U);
    EXPECT_EQ(rooms.take(&program, 0).threads.size(), 5U); // rather than none
}

TEST(WorkerArenas, GiveAWorkerItsOwn) {
    const Program program = empty_program();
    const Program other = empty_program();
    WorkerArenas rooms;
    const auto leave = [&](const Program& whose, uint32_t worker, uint32_t threads) {
        WorkerArena room = left_by(launch_of(whose, threads));
        room.worker = worker;
        rooms.give_back(std::move(room));
    };
    leave(program, 1, 2);
    leave(program, 0, 3);
    leave(program, 2, 4);
    leave(other, 1, 5);
    EXPECT_EQ(rooms.take(&program, 1).threads.size(), 2U);
    EXPECT_EQ(rooms.take(&program, 1).threads.size(), 4U); // either of two fits as well
    WorkerArena room = rooms.take(&program, 7);
    EXPECT_EQ(room.threads.size(), 3U);
    EXPECT_EQ(room.worker, 7U);
    EXPECT_EQ(rooms.take(&program, 0).threads.size(), 5U);
    EXPECT_EQ(rooms.take(&program, 5).worker, 5U); // a new one
}

TEST(WorkerArenas, LetSomeGo) {
    const Program program = empty_program();
    WorkerArenas rooms;
    WorkerArena called = left_by(launch_of(program, 3));
    called.threads[2].callers.resize(1);
    rooms.give_back(std::move(called));
    EXPECT_TRUE(rooms.take(&program, 0).threads.empty());
    Launch large = launch_of(program, 3);
    large.slm_bytes = 257U << 20U;
    rooms.give_back(left_by(large));
    EXPECT_TRUE(rooms.take(&program, 0).threads.empty());
}

// 256 MiB and no more.
TEST(WorkerArenas, KeepSoMuchAltogether) {
    const Program program = empty_program();
    Launch large = launch_of(program, 3);
    large.slm_bytes = 100U << 20U;
    WorkerArenas rooms;
    for (int i = 0; i < 3; ++i)
        rooms.give_back(left_by(large));
    EXPECT_EQ(rooms.take(&program, 0).threads.size(), 3U);
    EXPECT_EQ(rooms.take(&program, 0).threads.size(), 3U);
    EXPECT_TRUE(rooms.take(&program, 0).threads.empty());
    rooms.give_back(left_by(large));
    EXPECT_EQ(rooms.take(&program, 0).threads.size(), 3U);
}

} // namespace
} // namespace visor::machine
