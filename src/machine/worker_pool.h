// Threads of the operating system that outlive launches: to start one takes longer than a small launch.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace visor::machine {

// Thread-safe. It ends when all that it was given has.
class WorkerPool {
public:
    WorkerPool() = default;
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
    void serve();
    void wake();

    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<std::function<void()>> waiting_;
    size_t idle_ = 0; // threads that wait for work
    bool over_ = false;
    std::atomic<int64_t> waking_ = 5000; // nanoseconds; some thousand are usual
    std::vector<std::thread> threads_;
};

} // namespace visor::machine
