// The threads that do the work of all queues, and the one that calls the application back. Threads are made
// when they are needed and stay. A callback has a thread of its own, so that one that waits or enqueues never
// holds up a queue, and none runs on a thread of the application, which may hold locks of its own.
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
    // Soon, on some thread.
    void run(Task task);
    // Soon, after all that were handed over before.
    void call_back(Task task);

    // The process ends: launches are told to stop, and what runs is awaited, for a time.
    void wind_down();
    [[nodiscard]] const std::atomic<bool>& stopping() const { return stopping_; }

    // ---- fork: before it, and in parent and child after it, by the thread that forks

    // No task begins or ends from here on. True: another thread is at one, or one waits, and it lasts.
    [[nodiscard]] bool stop();
    void go_on();
    // In the child, which has none of the other threads. Lost: nothing will run there.
    void begin_anew(bool lost);

private:
    // Tasks in order of arrival, and the threads that take them. A thread that has run out of them may take
    // naps before it waits to be woken: an application that launches and waits, again and again, runs its
    // launches itself, and to wake a thread each time for nothing would take longer than a small launch.
    class Crew {
    public:
        explicit Crew(unsigned most, unsigned naps) : most_(most), naps_(naps) {}
        void add(Task task);
        void wind_down();
        [[nodiscard]] bool stop();
        void go_on();
        void begin_anew();

    private:
        // A task that runs. Its thread may leave in the middle, when the application's callback ends it.
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
