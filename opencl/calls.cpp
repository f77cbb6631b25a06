#include "opencl/calls.h"

#include <cstdio>
#include <pthread.h>
#include <thread>

namespace visor::opencl {

namespace {

// State of this thread: depth of nested calls (by callbacks), its cancel state outside of them, whether it
// forks.
struct Own {
    unsigned depth = 0;
    int cancel_state = PTHREAD_CANCEL_ENABLE;
    bool forks = false;
};

Own& own() {
    static thread_local Own of_thread;
    return of_thread;
}

} // namespace

Calls::Call::Call(Calls& calls) : calls_(calls) {
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state_);
    Own& mine = own();
    if (mine.depth++ == 0)
        mine.cancel_state = cancel_state_;
    // A nested call, or one of a fork handler, must not wait for the fork.
    while ((calls_.running_.fetch_add(1) & stopped) != 0 && mine.depth == 1 && !mine.forks) {
        calls_.running_.fetch_sub(1);
        const std::lock_guard wait(calls_.fork_lock_);
    }
}

Calls::Call::~Call() {
    calls_.running_.fetch_sub(1);
    --own().depth;
    pthread_setcancelstate(cancel_state_, nullptr);
}

Calls::Cancellable::Cancellable() {
    pthread_setcancelstate(own().cancel_state, &cancel_state_);
}

Calls::Cancellable::~Cancellable() {
    pthread_setcancelstate(cancel_state_, nullptr);
}

bool Calls::stop() {
    fork_lock_.lock();
    own().forks = true;
    running_ |= stopped;
    const auto end = std::chrono::steady_clock::now() + fork_patience;
    const auto has_other_calls = [this] { return (running_ & ~stopped) > own().depth; };
    while (has_other_calls() && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(std::chrono::microseconds(50));
    return has_other_calls();
}

void Calls::go_on() {
    running_.fetch_and(~stopped);
    own().forks = false;
    fork_lock_.unlock();
}

void Calls::reset_after_fork(bool lost) {
    lost_ = lost_ || lost;
    running_ = own().depth;
    own().forks = false;
    fork_lock_.unlock();
}

bool Calls::are_refused() {
    if (!are_lost())
        return false;
    if (!reported_.exchange(true))
        std::fputs("visor: this process was forked while its parent was in a call or a command of OpenCL: it "
                   "cannot use OpenCL (CL_OUT_OF_RESOURCES)\n",
                   stderr);
    return true;
}

} // namespace visor::opencl
