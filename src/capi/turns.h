// Turns of a context: calls and launches go one after the other, in the order in which they drew a number, so
// that a launch that was started earlier is over before a later call reads its results.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace visor::capi {

class Turns {
public:
    // Each number drawn must be waited for and ended. Refuses a thread that has the turn already: it would
    // wait for itself.
    [[nodiscard]] uint64_t draw();
    void wait(uint64_t number);
    void end() noexcept;
    // Whether this thread has the turn.
    [[nodiscard]] bool mine() const;

private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    uint64_t next_ = 0;
    uint64_t serving_ = 0;
    std::thread::id owner_;
};

// One thread that runs jobs in their order. It is made for the first one; after a while without one it ends.
class Jobs {
public:
    using Job = std::function<void()>;
    Jobs();
    ~Jobs(); // jobs that wait are still run
    Jobs(const Jobs&) = delete;
    Jobs& operator=(const Jobs&) = delete;
    Jobs(Jobs&&) = delete;
    Jobs& operator=(Jobs&&) = delete;
    // Error: std::system_error, when the system has no thread left; the job is not run then.
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
