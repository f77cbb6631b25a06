// The ticket lock of a context: serializes calls and launches in the order of their tickets, so that a launch
// is over before a later call reads its results.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace visor::capi {

class TicketLock {
public:
    // Each ticket must be waited for and ended. Rejects a thread that holds the lock: it would deadlock.
    [[nodiscard]] uint64_t take_ticket();
    void wait(uint64_t number);
    void end() noexcept;
    [[nodiscard]] bool is_held_by_this_thread() const;

private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    uint64_t next_ = 0;
    uint64_t serving_ = 0;
    std::thread::id owner_;
};

// A thread that runs jobs in order. It starts with the first job, and exits after some idle time.
class Jobs {
public:
    using Job = std::function<void()>;
    Jobs();
    ~Jobs(); // pending jobs still run
    Jobs(const Jobs&) = delete;
    Jobs& operator=(const Jobs&) = delete;
    Jobs(Jobs&&) = delete;
    Jobs& operator=(Jobs&&) = delete;
    // Error: std::system_error, when no thread can be started; the job is not run.
    void add(Job job);

private:
    struct State {
        std::mutex mutex;
        std::condition_variable changed;
        std::deque<Job> waiting;
        bool running = false; // there is a thread
        bool closed = false;
    };
    static void serve(const std::shared_ptr<State>& state);
    std::shared_ptr<State> state_;
};

} // namespace visor::capi
