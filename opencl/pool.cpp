#include "opencl/pool.h"

#include <chrono>
#include <csignal>
#include <new>
#include <pthread.h>
#include <system_error>
#include <thread>

namespace visor::opencl {

namespace {

// Pool threads block the application's signals, except synchronous faults, which would kill the process if
// blocked.
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

namespace {

// The pool of this thread.
const void*& crew_of_thread() {
    static thread_local const void* crew = nullptr;
    return crew;
}

// A callback could cancel its pool thread: disables that.
void forbid_cancellation() {
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
}

} // namespace

unsigned Pool::Crew::own() const {
    return crew_of_thread() == this ? 1 : 0;
}

// Under the lock.
void Pool::Crew::start_thread() {
    if (threads_ == most_)
        return;
    const SignalsBlocked blocked;
    try {
        std::thread([this] { work(); }).detach(); // lives as long as the process, as the pool does
        ++threads_;
    } catch (const std::system_error&) {
        return; // no thread available: another one, or a thread that waits for the queue, runs it
    }
}

void Pool::Crew::add(Task task) {
    const std::unique_lock guard(lock_);
    tasks_.push_back(std::move(task));
    if (napping_ >= tasks_.size())
        return;
    if (napping_ + waiting_ >= tasks_.size())
        work_to_do_.notify_one();
    else
        start_thread();
}

void Pool::Crew::nap(std::unique_lock<std::mutex>& guard) {
    constexpr auto length = std::chrono::microseconds(50);
    ++napping_;
    guard.unlock();
    std::this_thread::sleep_for(length);
    guard.lock();
    --napping_;
}

class Pool::Crew::Running {
public:
    explicit Running(Crew& crew) : crew_(crew) { ++crew_.busy_; }
    ~Running() {
        if (over_)
            return;
        // pthread_exit in a callback: starts a replacement.
        const std::lock_guard guard(crew_.lock_);
        crew_.end_task();
        --crew_.threads_;
        if (!crew_.tasks_.empty())
            crew_.start_thread();
    }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    Running(Running&&) = delete;
    Running& operator=(Running&&) = delete;

    // Under the lock.
    void end() {
        crew_.end_task();
        over_ = true;
    }

private:
    Crew& crew_;
    bool over_ = false;
};

void Pool::Crew::end_task() {
    --busy_;
    if (tasks_.empty())
        idle_.notify_all();
}

void Pool::Crew::work() {
    crew_of_thread() = this;
    forbid_cancellation();
    std::unique_lock guard(lock_);
    for (;;) {
        for (unsigned naps = 0; tasks_.empty() && naps < naps_; ++naps)
            nap(guard);
        while (tasks_.empty()) {
            ++waiting_;
            work_to_do_.wait(guard);
            --waiting_;
        }
        Running running(*this);
        Task task = std::move(tasks_.front());
        tasks_.pop_front();
        guard.unlock();
        task();
        task = nullptr;
        forbid_cancellation();
        guard.lock();
        running.end();
    }
}

// Excludes the calling task itself: a callback may exit the process, or fork.
bool Pool::Crew::wait_until_idle(std::unique_lock<std::mutex>& guard, std::chrono::milliseconds patience) {
    return idle_.wait_for(guard, patience, [this] { return busy_ == own() && tasks_.empty(); });
}

void Pool::Crew::wind_down() {
    std::unique_lock guard(lock_);
    static_cast<void>(wait_until_idle(guard, std::chrono::seconds(5)));
}

bool Pool::Crew::stop() {
    std::unique_lock guard(lock_);
    const bool is_idle = wait_until_idle(guard, Calls::fork_patience);
    static_cast<void>(guard.release()); // until the fork is over
    return !is_idle;
}

void Pool::Crew::go_on() {
    lock_.unlock();
}

// In a forked child without queued tasks or other running ones: resets the idle threads, which do not exist
// here.
void Pool::Crew::reset_after_fork() {
    threads_ = busy_ = own();
    napping_ = waiting_ = 0;
    new (&work_to_do_) std::condition_variable;
    new (&idle_) std::condition_variable;
    lock_.unlock();
}

void Pool::run(Task task) {
    workers_.add(std::move(task));
}

void Pool::call_back(Task task) {
    caller_.add(std::move(task));
}

void Pool::wind_down() {
    if (lost_)
        return;
    stopping_ = true;
    workers_.wind_down();
    stopping_ = false; // destructors of static objects may still use the library
}

bool Pool::stop() {
    const bool workers = workers_.stop();
    return caller_.stop() || workers;
}

void Pool::go_on() {
    caller_.go_on();
    workers_.go_on();
}

void Pool::reset_after_fork(bool lost) {
    lost_ = lost_ || lost;
    caller_.reset_after_fork();
    workers_.reset_after_fork();
}

} // namespace visor::opencl
