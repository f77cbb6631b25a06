// The application's calls that run at this moment, for what may happen in the middle of them: a thread that
// is cancelled, and a process that forks.
//
// A child of fork has one thread, and of every lock the state that it had then. So fork waits until no call
// begins, and looks whether others run. If none does, the child goes on with copies of all objects. Else it
// can trust nothing: each of its calls is refused.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>

namespace visor::opencl {

class Calls {
public:
    // One call, for as long as it runs. Its thread is not cancelled meanwhile, as kernels and locks could not
    // be left half-way.
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

    // Where a call waits, and holds nothing that its destructors do not give back: the thread may be
    // cancelled here, unless the application has forbidden that.
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

    // What nearly is over ends before the fork.
    static constexpr auto fork_patience = std::chrono::milliseconds(200);
    // No call begins from here on. True: another thread is in one, and it lasts.
    [[nodiscard]] bool stop();
    void go_on();
    // In the child. Lost: its calls are refused.
    void begin_anew(bool lost);

    [[nodiscard]] bool are_lost() const { return lost_.load(std::memory_order_relaxed); }
    // Likewise; the first one to ask where they are tells why on standard error.
    [[nodiscard]] bool are_refused();

private:
    static constexpr uint64_t stopped = uint64_t{1} << 63U;

    std::atomic<uint64_t> running_ = 0; // their number, and whether none begins
    std::mutex fork_lock_;              // held while none begins
    std::atomic<bool> lost_ = false;
    std::atomic<bool> told_ = false;
};

} // namespace visor::opencl
