#include "opencl/pool.h"

#include <chrono>
#include <csignal>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace visor::opencl {

namespace {

// A thread of ours takes no signal that the application may want on one of its own. Faults are the thread's
// own and cannot wait: blocked, they end the process.
class SignalsBlocked {
public:
    SignalsBlocked() {
        sigset_t all;
        sigfillset(&all);
        for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS})
            sigdelset(&all, fault);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;
    SignalsBlocked(SignalsBlocked&&) = delete;
    SignalsBlocked& operator=(SignalsBlocked&&) = delete;

private:
    sigset_t before_{};
};

} // namespace

void Pool::Crew::add(Task task) {
    const std::unique_lock guard(lock_);
    tasks_.push_back(std::move(task));
    if (napping_ >= tasks_.size())
        return;
    if (napping_ + waiting_ >= tasks_.size()) {
        work_to_do_.notify_one();
        return;
    }
    if (threads_ == most_)
        return;
    const SignalsBlocked blocked;
    try {
        std::thread([this] { work(); }).detach(); // lives as long as the process, as the pool does
        ++threads_;
    } catch (const std::system_error&) {
        return; // none can be had: another one will come to it, or whoever waits for a queue
    }
}

void Pool::Crew::nap(std::unique_lock<std::mutex>& guard) {
    constexpr auto length = std::chrono::microseconds(50);
    ++napping_;
    guard.unlock();
    std::this_thread::sleep_for(length);
    guard.lock();
    --napping_;
}

void Pool::Crew::work() {
    std::unique_lock guard(lock_);
    for (;;) {
        for (unsigned naps = 0; tasks_.empty() && naps < naps_; ++naps)
            nap(guard);
        while (tasks_.empty()) {
            ++waiting_;
            work_to_do_.wait(guard);
            --waiting_;
        }
        Task task = std::move(tasks_.front());
        tasks_.pop_front();
        ++busy_;
        guard.unlock();
        task();
        task = nullptr;
        guard.lock();
        if (--busy_ == 0 && tasks_.empty())
            idle_.notify_all();
    }
}

void Pool::Crew::wait_until_idle() {
    constexpr auto patience = std::chrono::seconds(5);
    std::unique_lock guard(lock_);
    idle_.wait_for(guard, patience, [this] { return busy_ == 0 && tasks_.empty(); });
}

void Pool::run(Task task) {
    workers_.add(std::move(task));
}

void Pool::call_back(Task task) {
    caller_.add(std::move(task));
}

Pool::Pool() : process_(getpid()) {}

void Pool::wind_down() {
    if (getpid() != process_) // a child has none of the threads
        return;
    stopping_ = true;
    workers_.wait_until_idle();
    stopping_ = false; // destructors of static objects may still use the library
}

} // namespace visor::opencl
