// The thread pool of all queues, and the callback thread. Threads are started on demand and stay. Callbacks
// run on their own thread, so that a blocking one never blocks a queue, and never on an application's thread,
// which may hold locks.
#pragma once

#include "opencl/calls.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

namespace visor::opencl {

using Task = std::move_only_function<void()>;

class Pool {
public:
    Pool() = default;
    // Runs it asynchronously on a pool thread.
    void run(Task task);
    // Runs it asynchronously, after all earlier ones.
    void call_back(Task task);

    // At exit: stops launches, and waits for running tasks, up to a timeout.
    void wind_down();
    [[nodiscard]] const std::atomic<bool>& stopping() const { return stopping_; }

    // ---- fork: before it, and in parent and child after it, by the thread that forks

    // Blocks the begin and end of tasks. True: other tasks are still running or queued.
    [[nodiscard]] bool stop();
    void go_on();
    // In the child, which has no other thread. Lost: no task will run there.
    void reset_after_fork(bool lost);

private:
    // A task queue with its threads. An idle thread may poll with short sleeps before it blocks: an
    // application that launches and waits repeatedly runs its launches itself, and waking a thread each time
    // would take longer than a small launch.
    class Crew {
    public:
        explicit Crew(unsigned most, unsigned naps) : most_(most), naps_(naps) {}
        void add(Task task);
        void wind_down();
        [[nodiscard]] bool stop();
        void go_on();
        void reset_after_fork();

    private:
        // A running task. An application's callback may end its thread.
        class Running;

        void work();
        [[nodiscard]] bool wait_until_idle(std::unique_lock<std::mutex>& guard,
                                           std::chrono::milliseconds patience);
        void start_thread();
        void end_task();
        [[nodiscard]] unsigned own() const; // 1: this thread is one of the crew
        void nap(std::unique_lock<std::mutex>& guard);

        std::mutex lock_;
        std::condition_variable work_to_do_;
        std::condition_variable idle_;
        std::deque<Task> tasks_;
        const unsigned most_;
        const unsigned naps_;
        unsigned threads_ = 0;
        unsigned napping_ = 0;
        unsigned waiting_ = 0;
        unsigned busy_ = 0;
    };

    Crew workers_{16, 2};
    Crew caller_{1, 0};
    std::atomic<bool> stopping_{false};
    bool lost_ = false; // in the child of a fork
};

} // namespace visor::opencl
