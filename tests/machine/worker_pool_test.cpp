#include "machine/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <memory>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
// NOLINTNEXTLINE(bugprone-reserved-identifier): the name that the sanitizer looks for
extern "C" const char* __tsan_default_options() {
    return "die_after_fork=0";
}
#endif
#endif

namespace visor::machine {
namespace {

TEST(WorkerPool, WorkRunsAtTheSameTime) {
    std::latch all(4); // each waits for the others
    std::latch ended(4);
    WorkerPool pool;
    for (int i = 0; i < 4; ++i)
        pool.start([&] {
            all.arrive_and_wait();
            ended.count_down();
        });
    ended.wait();
}

TEST(WorkerPool, AThreadThatIdlesIsUsedAgain) {
    std::set<std::thread::id> threads;
    WorkerPool pool;
    for (int i = 0; i < 20; ++i) {
        std::latch ended(1);
        pool.start([&] {
            threads.insert(std::this_thread::get_id());
            ended.count_down();
        });
        ended.wait();
        std::this_thread::sleep_for(std::chrono::milliseconds(2)); // until it waits again
    }
    EXPECT_LT(threads.size(), 20U); // one, unless the machine is very busy
    EXPECT_FALSE(threads.contains(std::this_thread::get_id()));
}

// Those of the parent, which idle, are not there. The thread sanitizer is told above that a child may have
// its own.
TEST(WorkerPool, AChildOfAForkHasThreadsOfItsOwn) {
    std::latch begun(1);
    auto pool = std::make_unique<WorkerPool>();
    pool->start([&] { begun.count_down(); });
    begun.wait();
    std::this_thread::sleep_for(std::chrono::milliseconds(5)); // until it idles
    const pid_t child = fork();
    if (child == 0) {
        alarm(30);
        std::latch both(2);
        for (int i = 0; i < 2; ++i)
            pool->start([&] { both.arrive_and_wait(); });
        both.wait();
        pool.reset();
        _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    std::latch ended(1);
    pool->start([&] { ended.count_down(); });
    ended.wait();
}

TEST(WorkerPool, TellsWhatWakingTakes) {
    WorkerPool pool;
    const auto before = pool.waking();
    EXPECT_GT(before.count(), 0);
    for (int i = 0; i < 20 && pool.waking() == before; ++i) {
        std::latch ended(1);
        pool.start([&] { ended.count_down(); });
        ended.wait();
        std::this_thread::sleep_for(std::chrono::milliseconds(2)); // until it waits again
    }
    EXPECT_NE(pool.waking(), before);
    EXPECT_LE(pool.waking(), std::chrono::microseconds(100));
}

TEST(WorkerPool, ItEndsWhenItsWorkHas) {
    std::atomic<int> done = 0;
    {
        WorkerPool pool;
        for (int i = 0; i < 8; ++i)
            pool.start([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
                ++done;
            });
    }
    EXPECT_EQ(done, 8);
}

TEST(WorkerPool, ManyCallers) {
    std::atomic<int> done = 0;
    {
        WorkerPool pool;
        std::vector<std::thread> callers;
        for (int caller = 0; caller < 4; ++caller)
            callers.emplace_back([&] {
                for (int i = 0; i < 500; ++i)
                    pool.start([&] { ++done; });
            });
        for (std::thread& caller : callers)
            caller.join();
    }
    EXPECT_EQ(done, 2000);
}

} // namespace
} // namespace visor::machine
