#include "machine/dispatch.h"
#include "machine/worker_arena.h"
#include "machine/worker_pool.h"

#include "empty_program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <mutex>
#include <set>
#include <thread>

namespace visor::machine {
namespace {

using isa::Predefined;

class Scripted final : public Engine {
public:
    explicit Scripted(std::function<void(Thread&)> script) : script_(std::move(script)) {}
    void run(Thread& thread) const override { script_(thread); }

private:
    std::function<void(Thread&)> script_;
};

void come_to_barrier(Thread& thread) {
    signal_barrier(thread, {});
    wait_at_barrier(thread, {});
}

uint32_t dword(const Thread& thread, Predefined variable, uint32_t index) {
    uint32_t value = 0;
    std::memcpy(&value, thread.registers + thread.program->register_base(variable) + size_t{index} * 4, 4);
    return value;
}

Launch launch_of(const Program& program, uint32_t groups, uint32_t threads) {
    Launch launch;
    launch.program = &program;
    launch.groups = {groups, 1, 1};
    launch.threads = threads;
    return launch;
}

TEST(Dispatch, GroupIdsAndTailMask) {
    const Program program = empty_program();
    Launch launch = launch_of(program, 2, 2);
    launch.groups = {2, 3, 2};
    launch.first_group = {10, 20, 30};
    launch.simd = 16;
    launch.last_thread_lanes = 5;
    std::vector<std::array<uint32_t, 4>> seen;
    const Scripted engine([&](Thread& thread) {
        seen.push_back({dword(thread, Predefined::r0, 1), dword(thread, Predefined::r0, 6),
                        dword(thread, Predefined::r0, 7), thread.execution_mask});
        EXPECT_EQ(dword(thread, Predefined::sr0, 2), thread.dispatch_mask);
        EXPECT_EQ(dword(thread, Predefined::group_id_y, 0), dword(thread, Predefined::r0, 6));
        thread.status = Status::done;
    });
    const RunResult result = run(launch, engine, {}, nullptr);
    EXPECT_EQ(result.groups, 12U);
    EXPECT_EQ(result.threads, 24U);
    ASSERT_EQ(seen.size(), 24U);
    EXPECT_EQ(seen[0], (std::array<uint32_t, 4>{10, 20, 30, 0xffff}));
    EXPECT_EQ(seen[1], (std::array<uint32_t, 4>{10, 20, 30, 0x1f}));
    EXPECT_EQ(seen[2], (std::array<uint32_t, 4>{11, 20, 30, 0xffff}));
    EXPECT_EQ(seen[4], (std::array<uint32_t, 4>{10, 21, 30, 0xffff}));
    EXPECT_EQ(seen[23], (std::array<uint32_t, 4>{11, 22, 31, 0x1f}));
}

// Launch ABI 2.2: lane n of thread t is work-item t*SIMD + n of the group; x varies fastest unless the walk
// order says otherwise.
TEST(Dispatch, LocalIds) {
    const Program program = empty_program();
    Launch launch = launch_of(program, 1, 2);
    launch.simd = 8;
    launch.local_size = {3, 2, 2};
    const uint32_t base = program.register_base(Predefined::r0); // 32 bytes to write to
    launch.computed_inputs = {{Filler::local_id_y, base, 0, 8, 2}, {Filler::local_id_z, base + 16, 4, 4, 2}};
    std::vector<std::vector<uint16_t>> seen;
    const Scripted engine([&](Thread& thread) {
        std::vector<uint16_t> words(12);
        std::memcpy(words.data(), thread.registers + base, 24);
        seen.push_back(words);
        thread.status = Status::done;
    });
    EXPECT_EQ(run(launch, engine, {}, nullptr).groups, 1U);
    // Items 0..11: y = n / 3 % 2, z = n / 6.
    EXPECT_EQ(seen[0], (std::vector<uint16_t>{0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1}));
    EXPECT_EQ(seen[1], (std::vector<uint16_t>{0, 1, 1, 1, 0, 0, 0, 1, 2, 2, 2, 2}));

    seen.clear();
    launch.walk_order = {1, 0, 2}; // y fastest
    EXPECT_EQ(run(launch, engine, {}, nullptr).groups, 1U);
    EXPECT_EQ(seen[0], (std::vector<uint16_t>{0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1}));
}

TEST(Dispatch, ThreadsTakeTurnsAtBarriers) {
    const Program program = empty_program();
    std::vector<uint32_t> order;
    std::vector<int> turns(3);
    const Scripted engine([&](Thread& thread) {
        order.push_back(thread.index);
        thread.pc = 1;
        if (++turns[thread.index] == 3)
            thread.status = Status::done;
        else
            come_to_barrier(thread);
    });
    EXPECT_EQ(run(launch_of(program, 1, 3), engine, {}, nullptr).threads, 3U);
    EXPECT_EQ(order, (std::vector<uint32_t>{0, 1, 2, 0, 1, 2, 0, 1, 2}));
}

// Ruling 37: who has ended counts as arrived.
TEST(Dispatch, EndedThreadsDoNotHoldTheBarrier) {
    const Program program = empty_program();
    bool second_turn = false;
    const Scripted engine([&](Thread& thread) {
        if (thread.index == 0) {
            thread.status = Status::done;
            return;
        }
        if (second_turn)
            thread.status = Status::done;
        else
            come_to_barrier(thread);
        second_turn = true;
    });
    const RunResult result = run(launch_of(program, 1, 2), engine, {}, nullptr);
    EXPECT_EQ(result.fault.kind, FaultKind::none);
    EXPECT_EQ(result.threads, 2U);
}

TEST(Dispatch, ASeedPermutesTheTurnsRepeatably) {
    const Program program = empty_program();
    std::vector<uint32_t> order;
    const Scripted engine([&](Thread& thread) {
        order.push_back(thread.index);
        thread.status = Status::done;
    });
    const auto with_seed = [&](uint64_t seed) {
        order.clear();
        RunOptions options;
        options.seed = seed;
        EXPECT_EQ(run(launch_of(program, 1, 16), engine, options, nullptr).threads, 16U);
        return order;
    };
    const std::vector<uint32_t> plain = with_seed(0);
    EXPECT_TRUE(std::is_sorted(plain.begin(), plain.end()));
    EXPECT_EQ(with_seed(7), with_seed(7));
    EXPECT_NE(with_seed(7), plain);
    EXPECT_EQ(std::set<uint32_t>(order.begin(), order.end()).size(), 16U);
}

TEST(Dispatch, AFaultEndsTheRun) {
    const Program program = empty_program();
    const PreparedInstruction nowhere;
    const Scripted engine([&](Thread& thread) {
        if (thread.group->linear == 3)
            thread.fail_access(nowhere, 5, 0x1234, 8);
        else
            thread.status = Status::done;
    });
    const RunResult result = run(launch_of(program, 10, 1), engine, {}, nullptr);
    EXPECT_EQ(result.fault.kind, FaultKind::out_of_bounds);
    EXPECT_EQ(result.fault.group[0], 3U);
    EXPECT_EQ(result.fault.lane, 5);
    EXPECT_EQ(result.fault.address, 0x1234U);
    EXPECT_EQ(result.groups, 3U);
}

TEST(Dispatch, ARangeOfGroups) {
    const Program program = empty_program();
    std::vector<uint64_t> seen;
    const Scripted engine([&](Thread& thread) {
        seen.push_back(thread.group->linear);
        thread.status = Status::done;
    });
    RunOptions options;
    options.first_group = 4;
    options.group_count = 3;
    EXPECT_EQ(run(launch_of(program, 100, 1), engine, options, nullptr).groups, 3U);
    EXPECT_EQ(seen, (std::vector<uint64_t>{4, 5, 6}));
    options.first_group = 1000;
    EXPECT_EQ(run(launch_of(program, 100, 1), engine, options, nullptr).groups, 0U);
}

TEST(Dispatch, TimeoutAndStop) {
    const Program program = empty_program();
    const PreparedInstruction nowhere;
    const Scripted engine([&](Thread& thread) {
        while (!thread.stop->load()) {
        }
        thread.fail(FaultKind::stopped, nowhere);
    });
    RunOptions options;
    options.timeout = 0.05;
    EXPECT_EQ(run(launch_of(program, 1, 1), engine, options, nullptr).fault.kind, FaultKind::timeout);
    const std::atomic<bool> stop = true;
    options.timeout = 0;
    options.stop = &stop;
    EXPECT_EQ(run(launch_of(program, 1, 1), engine, options, nullptr).fault.kind, FaultKind::stopped);
}

// Threads without a backward branch never ask whether they may go on.
TEST(Dispatch, StopsBetweenGroups) {
    const Program program = empty_program();
    std::atomic<bool> stop = false;
    uint32_t ran = 0;
    const Scripted engine([&](Thread& thread) {
        thread.status = Status::done;
        stop = ++ran == 5;
    });
    RunOptions options;
    options.stop = &stop;
    const RunResult result = run(launch_of(program, 1'000'000, 1), engine, options, nullptr);
    EXPECT_EQ(result.fault.kind, FaultKind::stopped);
    EXPECT_EQ(result.fault.group, (std::array<uint32_t, 3>{5, 0, 0}));
    EXPECT_EQ(result.groups, 5U);
    EXPECT_EQ(ran, 5U);
}

TEST(DispatchWorkers, EveryGroupRunsOnce) {
    const Program program = empty_program();
    constexpr uint32_t groups = 1000;
    std::vector<std::atomic<int>> runs(groups);
    const Scripted engine([&](Thread& thread) {
        ++runs[thread.group->linear];
        if (thread.group->linear % 8 == 0) // long enough that others are called
            std::this_thread::sleep_for(std::chrono::microseconds(20));
        thread.status = Status::done;
    });
    RunOptions options;
    options.workers = 4;
    const RunResult result = run(launch_of(program, groups, 2), engine, options, nullptr);
    EXPECT_EQ(result.groups, groups);
    EXPECT_EQ(result.threads, groups * 2U);
    for (const std::atomic<int>& count : runs)
        EXPECT_EQ(count, 2) << "two threads a group";
}

// 4096 groups, two workers: a share of sixteen batches each, some of which the other one may take at the end.
TEST(DispatchWorkers, AWorkerTakesNeighbours) {
    const Program program = empty_program();
    std::vector<std::thread::id> ran(4096);
    const Scripted engine([&](Thread& thread) {
        ran[thread.group->linear] = std::this_thread::get_id();
        if (thread.group->linear % 8 == 0)
            std::this_thread::sleep_for(std::chrono::microseconds(20));
        thread.status = Status::done;
    });
    RunOptions options;
    options.workers = 2;
    EXPECT_EQ(run(launch_of(program, 4096, 1), engine, options, nullptr).groups, 4096U);
    EXPECT_EQ(std::set(ran.begin(), ran.end()).size(), 2U);
    size_t changes = 0;
    for (size_t group = 1; group < ran.size(); ++group)
        changes += ran[group] != ran[group - 1] ? 1U : 0U;
    EXPECT_LE(changes, 40U);
}

TEST(DispatchWorkers, ComeFromThePool) {
    const Program program = empty_program();
    std::mutex mutex;
    std::set<std::thread::id> ran;
    const Scripted engine([&](Thread& thread) {
        {
            const std::lock_guard lock(mutex);
            ran.insert(std::this_thread::get_id());
        }
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        thread.status = Status::done;
    });
    WorkerPool pool;
    RunOptions options;
    options.workers = 2;
    options.pool = &pool;
    for (int launch = 0; launch < 10; ++launch) {
        EXPECT_EQ(run(launch_of(program, 256, 1), engine, options, nullptr).groups, 256U);
        std::this_thread::sleep_for(std::chrono::milliseconds(5)); // until it waits again
    }
    EXPECT_TRUE(ran.contains(std::this_thread::get_id()));
    EXPECT_GE(ran.size(), 2U);
    EXPECT_LT(ran.size(), 11U); // two, unless the machine is very busy
}

TEST(DispatchWorkers, FewGroupsMayWaitForEachOther) {
    const Program program = empty_program();
    std::array<std::atomic<bool>, 2> here{};
    const Scripted engine([&](Thread& thread) {
        here.at(thread.group->linear) = true;
        while (!here.at(1 - thread.group->linear))
            std::this_thread::yield();
        thread.status = Status::done;
    });
    RunOptions options;
    options.workers = 2;
    EXPECT_EQ(run(launch_of(program, 2, 1), engine, options, nullptr).groups, 2U);
}

// What a launch left in memory that is kept for the next one.
TEST(Dispatch, LaunchesFindNothingOfTheOneBefore) {
    const Program program = empty_program();
    WorkerArenas arenas;
    RunOptions options;
    options.arenas = &arenas;
    std::set<const std::byte*> places;
    std::vector<std::byte> registers;
    const Scripted engine([&](Thread& thread) {
        const std::span found(thread.registers, program.register_bytes);
        if (registers.empty())
            registers.assign(found.begin(), found.end());
        EXPECT_TRUE(std::ranges::equal(found, registers));
        places.insert(found.data());
        for (const std::span<std::byte> memory : {thread.group->slm, thread.scratch}) {
            EXPECT_EQ(std::ranges::count(memory, std::byte{0}), std::ssize(memory));
            std::ranges::fill(memory, std::byte{0xff});
        }
        std::ranges::fill(found, std::byte{0xff});
        thread.status = Status::done;
    });
    for (const uint32_t bytes : {1000U, 200U, 0U, 1000U, 1000U}) {
        Launch launch = launch_of(program, 1, 1);
        launch.slm_bytes = bytes;
        launch.scratch_bytes = bytes;
        EXPECT_EQ(run(launch, engine, options, nullptr).groups, 1U);
    }
    EXPECT_EQ(places.size(), 1U) << "the memory is the same";
}

// Runs one thread in memory of its session's.
class Saving final : public Engine {
public:
    explicit Saving(std::vector<const std::byte*>& places) : places_(places) {}
    void run(Thread&) const override { FAIL() << "not in a session"; }
    [[nodiscard]] std::unique_ptr<Session> session(const Launch& launch,
                                                   GuardedMemory& saved) const override {
        EXPECT_TRUE(saved.reallocate(size_t{launch.threads} * 128).has_value());
        places_.push_back(saved.data());
        return std::make_unique<Kept>();
    }

private:
    class Kept final : public Session {
    public:
        void run(Thread& thread) override { thread.status = Status::done; }
        Untouched run_untouched(std::span<Thread>, uint64_t) override { return {}; }
    };
    std::vector<const std::byte*>& places_;
};

TEST(Dispatch, AnEnginesOwnMemoryIsKeptFromLaunchToLaunch) {
    const Program program = empty_program();
    WorkerArenas arenas;
    RunOptions options;
    options.arenas = &arenas;
    std::vector<const std::byte*> places;
    const Saving engine(places);
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(run(launch_of(program, 1, 2), engine, options, nullptr).threads, 2U);
    EXPECT_EQ(places, std::vector<const std::byte*>(3, places.front()));
    EXPECT_EQ(arenas.take(&program, 0).saved.size(), 256U);
}

TEST(Dispatch, MoreMemoryThanThereIsEndsTheLaunch) {
    const Program program = empty_program();
    Launch launch = launch_of(program, 200, 1U << 20U);
    launch.scratch_bytes = 0xffff'ffc0U; // 4 PiB
    const Scripted engine([](Thread&) { FAIL() << "a thread runs"; });
    for (const uint32_t workers : {1U, 3U}) {
        RunOptions options;
        options.workers = workers;
        const RunResult result = run(launch, engine, options, nullptr);
        EXPECT_EQ(result.fault.kind, FaultKind::out_of_memory);
        EXPECT_TRUE(result.fault.detail.contains("4503599560261632")) << result.fault.detail;
        EXPECT_EQ(result.groups, 0U);
    }
}

TEST(DispatchWorkers, PrivateBlocksAreApart) {
    const Program program = empty_program();
    Launch launch = launch_of(program, 64, 2);
    const uint32_t base = program.register_base(Predefined::r0);
    launch.private_base = 0x10000;
    launch.private_bytes = 0x100;
    launch.computed_inputs = {{Filler::private_base, base, 0, 1, 8}};
    std::mutex mutex;
    std::set<uint64_t> in_use;
    const Scripted engine([&](Thread& thread) {
        uint64_t address = 0;
        std::memcpy(&address, thread.registers + base, 8);
        {
            const std::lock_guard lock(mutex);
            EXPECT_TRUE(in_use.insert(address).second) << "two running threads share a private block";
            EXPECT_LT(address, 0x10000U + 4 * 2 * 0x100U);
        }
        const std::lock_guard lock(mutex);
        in_use.erase(address);
        thread.status = Status::done;
    });
    RunOptions options;
    options.workers = 4;
    EXPECT_EQ(run(launch, engine, options, nullptr).threads, 128U);
}

} // namespace
} // namespace visor::machine
