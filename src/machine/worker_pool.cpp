#include "machine/worker_pool.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <sys/types.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace visor::machine {

struct WorkerPool::Crew {
    const pid_t process = getpid();
    std::mutex mutex;
    std::condition_variable wake;
    std::deque<std::function<void()>> waiting;
    size_t idle = 0; // idle threads
    bool over = false;
    std::vector<std::thread> threads;

    [[nodiscard]] bool is_own() const { return process == getpid(); }
};

WorkerPool::WorkerPool() : crew_(std::make_unique<Crew>()) {}

WorkerPool::~WorkerPool() {
    if (!crew_->is_own()) { // in a forked child: no threads to join
        static_cast<void>(crew_.release());
        return;
    }
    {
        const std::lock_guard lock(crew_->mutex);
        crew_->over = true;
    }
    crew_->wake.notify_all();
    for (std::thread& thread : crew_->threads)
        thread.join();
}

WorkerPool::Crew& WorkerPool::crew() {
    const std::lock_guard lock(crew_lock_);
    if (!crew_->is_own()) { // in a forked child: its locks may be held forever, so it leaks
        static_cast<void>(crew_.release());
        crew_ = std::make_unique<Crew>();
    }
    return *crew_;
}

void WorkerPool::start(std::function<void()> work) {
    Crew& own = crew();
    bool idles = false;
    {
        const std::lock_guard lock(own.mutex);
        idles = own.idle > own.waiting.size();
        if (!idles)
            own.threads.emplace_back([&own] { serve(own); });
        own.waiting.push_back(std::move(work));
    }
    if (idles) // a new thread checks the queue before it waits
        wake(own);
}

void WorkerPool::wake(Crew& crew) {
    constexpr int64_t most = 100'000; // so that long launches wake helpers, and measure again
    const auto begin = std::chrono::steady_clock::now();
    crew.wake.notify_one();
    const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - begin;
    // Limits outliers: another process may have had the CPU. Concurrent updates may be lost.
    const int64_t before = waking_;
    waking_ = (3 * before + std::min({int64_t{took.count()}, 2 * before, most})) / 4;
}

void WorkerPool::serve(Crew& crew) {
    std::unique_lock lock(crew.mutex);
    for (;;) {
        ++crew.idle;
        crew.wake.wait(lock, [&crew] { return crew.over || !crew.waiting.empty(); });
        --crew.idle;
        if (crew.waiting.empty())
            return;
        const std::function<void()> work = std::move(crew.waiting.front());
        crew.waiting.pop_front();
        lock.unlock();
        work();
        lock.lock();
    }
}

} // namespace visor::machine
