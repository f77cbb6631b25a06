// Tracks the application's running calls, to handle thread cancellation and fork in the middle of them.
//
// A child of fork has one thread, and copies of all locks in their current state. So fork blocks new calls,
// and checks for running ones. Without any, the child continues with copies of all objects. Else their state
// is undefined: each call of the child fails.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>

namespace visor::opencl {

class Calls {
public:
    // One running call. Disables cancellation of its thread, since kernels and locks could not be unwound.
    class Call {
    public:
        explicit Call(Calls& calls);
        ~Call();
        Call(const Call&) = delete;
        Call& operator=(const Call&) = delete;
        Call(Call&&) = delete;
        Call& operator=(Call&&) = delete;

    private:
        Calls& calls_;
        int cancel_state_ = 0; // of the thread, before
    };

    // A cancellation point of a waiting call whose destructors release everything: the thread may be
    // cancelled here, unless the application has disabled that.
    class Cancellable {
    public:
        Cancellable();
        ~Cancellable();
        Cancellable(const Cancellable&) = delete;
        Cancellable& operator=(const Cancellable&) = delete;
        Cancellable(Cancellable&&) = delete;
        Cancellable& operator=(Cancellable&&) = delete;

    private:
        int cancel_state_ = 0;
    };

    // ---- fork: before it, and in parent and child after it, by the thread that forks

    // Waits briefly for running calls.
    static constexpr auto fork_patience = std::chrono::milliseconds(200);
    // Blocks new calls. True: another thread's call is still running.
    [[nodiscard]] bool stop();
    void go_on();
    // In the child. Lost: its calls fail.
    void reset_after_fork(bool lost);

    [[nodiscard]] bool are_lost() const { return lost_.load(std::memory_order_relaxed); }
    // Whether calls fail in this child; the first query reports that on standard error.
    [[nodiscard]] bool are_refused();

private:
    static constexpr uint64_t stopped = uint64_t{1} << 63U;

    std::atomic<uint64_t> running_ = 0; // the number of calls, and whether new ones are blocked
    std::mutex fork_lock_;              // held while new calls are blocked
    std::atomic<bool> lost_ = false;
    std::atomic<bool> reported_ = false;
};

} // namespace visor::opencl
