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
    WorkerArena arena;
    EXPECT_TRUE(arena.allocate(launch, 32).has_value());
    EXPECT_FALSE(arena.prepare(launch));
    for (Thread& thread : arena.threads) {
        thread.untouched = true;
        thread.sites.resize(3);
        thread.allocation = {.low = 4096, .high = 8192};
    }
    return arena;
}

TEST(WorkerArena, HasWhatALaunchNeeds) {
    const Program program = empty_program();
    Launch launch = launch_of(program, 3);
    launch.slm_bytes = 100;
    const WorkerArena arena = left_by(launch);
    EXPECT_EQ(arena.threads.size(), 3U);
    EXPECT_EQ(arena.order.size(), 3U);
    EXPECT_EQ(arena.scratch.size(), 192U); // each at a line
    EXPECT_EQ(arena.slm.size(), 100U);
    EXPECT_EQ(arena.registers.size(), size_t{3} * program.register_bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(arena.registers.data()) % 64, 0U);
}

TEST(WorkerArenaDeathTest, MemoryLiesBetweenGuards) {
    const Program program = empty_program();
    Launch launch = launch_of(program, 3);
    launch.slm_bytes = 128;
    WorkerArena arena = left_by(launch);
    std::byte* const registers = arena.registers.data();
    expect_guarded(registers, registers + size_t{3} * program.register_bytes);
    expect_guarded(arena.slm.data(), arena.slm.data() + 128);
    // 32 bytes of a line are the last thread's.
    expect_guarded(arena.scratch_of(0).data(), arena.scratch_of(2).data() + 64);
}

// As when another program's launch is refused in between.
TEST(WorkerArena, KnowsNobodyAfterMemoryWasRefused) {
    const Program program = empty_program();
    const Launch launch = launch_of(program, 3);
    WorkerArena arena = left_by(launch);
    EXPECT_FALSE(arena.allocate(launch, size_t{1} << 50U).has_value());
    EXPECT_TRUE(arena.allocate(launch, 32).has_value());
    EXPECT_FALSE(arena.prepare(launch));
}

TEST(WorkerArena, MemoryBeginsAtLines) {
    const Program program = empty_program();
    Launch launch = launch_of(program, 3);
    launch.slm_bytes = 100;
    WorkerArena arena = left_by(launch);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(arena.slm.data()) % 64, 0U);
    for (uint32_t thread = 0; thread < 3; ++thread) {
        EXPECT_EQ(arena.scratch_of(thread).size(), 32U);
        EXPECT_EQ(reinterpret_cast<uintptr_t>(arena.scratch_of(thread).data()) % 64, 0U);
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
    WorkerArena arena = left_by(launch);
    arena.threads[1].untouched = false;
    launch.groups = {7, 1, 1}; // says nothing about a thread
    EXPECT_TRUE(arena.prepare(launch));
    EXPECT_TRUE(arena.threads[0].untouched);
    EXPECT_FALSE(arena.threads[1].untouched);
}

TEST(WorkerArena, ForgetsWhatWasFoundInMemory) {
    const Program program = empty_program();
    const Launch launch = launch_of(program, 2);
    WorkerArena arena = left_by(launch);
    EXPECT_TRUE(arena.prepare(launch));
    for (const Thread& thread : arena.threads) {
        EXPECT_TRUE(thread.sites.empty());
        EXPECT_EQ(thread.allocation.high, 0U);
    }
}

TEST(WorkerArena, TakesOtherLaunchesForOthers) {
    const Program program = empty_program();
    const Program other = empty_program();
    const auto is_other = [&](const Launch& launch) {
        WorkerArena arena = left_by(launch_of(program, 3));
        const bool known = arena.prepare(launch);
        for (const Thread& thread : arena.threads)
            EXPECT_FALSE(thread.untouched);
        return !known && arena.threads.size() == launch.threads;
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
    WorkerArena arena = left_by(launch);
    EXPECT_FALSE(arena.prepare(launch));
}

TEST(WorkerArenas, GiveOutWhatWasGivenBack) {
    const Program program = empty_program();
    const Launch launch = launch_of(program, 3);
    WorkerArenas arenas;
    EXPECT_TRUE(arenas.take(&program, 0).threads.empty());
    arenas.give_back(left_by(launch));
    EXPECT_EQ(arenas.take(&program, 0).threads.size(), 3U);
    EXPECT_TRUE(arenas.take(&program, 0).threads.empty());
}

TEST(WorkerArenas, GiveAProgramItsOwn) {
    const Program program = empty_program();
    const Program other = empty_program();
    WorkerArenas arenas;
    arenas.give_back(left_by(launch_of(program, 3)));
    arenas.give_back(left_by(launch_of(other, 5)));
    EXPECT_EQ(arenas.take(&program, 0).threads.size(), 3U);
    EXPECT_EQ(arenas.take(&program, 0).threads.size(), 5U); // rather than none
}

TEST(WorkerArenas, GiveAWorkerItsOwn) {
    const Program program = empty_program();
    const Program other = empty_program();
    WorkerArenas arenas;
    const auto leave = [&](const Program& whose, uint32_t worker, uint32_t threads) {
        WorkerArena arena = left_by(launch_of(whose, threads));
        arena.worker = worker;
        arenas.give_back(std::move(arena));
    };
    leave(program, 1, 2);
    leave(program, 0, 3);
    leave(program, 2, 4);
    leave(other, 1, 5);
    EXPECT_EQ(arenas.take(&program, 1).threads.size(), 2U);
    EXPECT_EQ(arenas.take(&program, 1).threads.size(), 4U); // either of two fits as well
    WorkerArena arena = arenas.take(&program, 7);
    EXPECT_EQ(arena.threads.size(), 3U);
    EXPECT_EQ(arena.worker, 7U);
    EXPECT_EQ(arenas.take(&program, 0).threads.size(), 5U);
    EXPECT_EQ(arenas.take(&program, 5).worker, 5U); // a new one
}

TEST(WorkerArenas, LetSomeGo) {
    const Program program = empty_program();
    WorkerArenas arenas;
    WorkerArena called = left_by(launch_of(program, 3));
    called.threads[2].callers.resize(1);
    arenas.give_back(std::move(called));
    EXPECT_TRUE(arenas.take(&program, 0).threads.empty());
    Launch large = launch_of(program, 3);
    large.slm_bytes = 257U << 20U;
    arenas.give_back(left_by(large));
    EXPECT_TRUE(arenas.take(&program, 0).threads.empty());
}

// 256 MiB and no more.
TEST(WorkerArenas, KeepSoMuchAltogether) {
    const Program program = empty_program();
    Launch large = launch_of(program, 3);
    large.slm_bytes = 100U << 20U;
    WorkerArenas arenas;
    for (int i = 0; i < 3; ++i)
        arenas.give_back(left_by(large));
    EXPECT_EQ(arenas.take(&program, 0).threads.size(), 3U);
    EXPECT_EQ(arenas.take(&program, 0).threads.size(), 3U);
    EXPECT_TRUE(arenas.take(&program, 0).threads.empty());
    arenas.give_back(left_by(large));
    EXPECT_EQ(arenas.take(&program, 0).threads.size(), 3U);
}

} // namespace
} // namespace visor::machine
