// A thread pool that outlives launches: starting a thread takes longer than a small launch.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>

namespace visor::machine {

// Thread-safe. The destructor waits for all work. The child of a fork starts new threads; the parent's pool
// has to be idle when it forks.
class WorkerPool {
public:
    WorkerPool();
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;
    WorkerPool(WorkerPool&&) = delete;
    WorkerPool& operator=(WorkerPool&&) = delete;

    // Runs `work`, which throws nothing, on an idle thread, else on a new one. Error (std::system_error): the
    // system has no more threads.
    void start(std::function<void()> work);
    // Recent cost of waking an idle thread, in the caller's time.
    [[nodiscard]] std::chrono::nanoseconds waking() const { return std::chrono::nanoseconds(waking_); }

private:
    struct Crew; // the threads and their queue

    static void serve(Crew& crew);
    void wake(Crew& crew);
    // Of this process; a new one after a fork.
    [[nodiscard]] Crew& crew();

    std::atomic<int64_t> waking_ = 5000; // nanoseconds; a typical value
    std::mutex crew_lock_;
    std::unique_ptr<Crew> crew_;
};

} // namespace visor::machine
