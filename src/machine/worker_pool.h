// Threads of the operating system that outlive launches: to start one takes longer than a small launch.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>

namespace visor::machine {

// Thread-safe. It ends when all that it was given has. The child of a fork has none of its threads, and
// begins with new ones; the parent's pool has to be at rest when it forks.
class WorkerPool {
public:
    WorkerPool();
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;
    WorkerPool(WorkerPool&&) = delete;
    WorkerPool& operator=(WorkerPool&&) = delete;

    // Runs `work`, which throws nothing, on a thread that idles, else on a new one. Error
    // (std::system_error): the system has no more threads.
    void start(std::function<void()> work);
    // What it took of late to wake a thread that idles: of the caller's time.
    [[nodiscard]] std::chrono::nanoseconds waking() const { return std::chrono::nanoseconds(waking_); }

private:
    struct Crew; // its threads, and what they wait for

    static void serve(Crew& crew);
    void wake(Crew& crew);
    // This process's own.
    [[nodiscard]] Crew& crew();

    std::atomic<int64_t> waking_ = 5000; // nanoseconds; some thousand are usual
    std::mutex crew_lock_;
    std::unique_ptr<Crew> crew_;
};

} // namespace visor::machine
