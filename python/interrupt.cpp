#include "interrupt.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace visor::python {

namespace {

// A signal handler has nothing else to reach.
std::atomic<bool> interrupted{false};
struct sigaction python_handler{};

extern "C" void on_interrupt(int signal, siginfo_t* info, void* context) {
    interrupted = true;
    if ((python_handler.sa_flags & SA_SIGINFO) != 0)
        python_handler.sa_sigaction(signal, info, context);
    else
        python_handler.sa_handler(signal);
}

// Stops the main thread's launch when a signal came; looks after it as long as there are launches, and sleeps
// otherwise. Lives as long as the process.
class Watchman {
public:
    static Watchman& get() {
        static Watchman& one = *new Watchman;
        return one;
    }
    void began(visor_launch launch) {
        bool wake = false;
        {
            const std::lock_guard lock(mutex_);
            launch_ = launch;
            wake = asleep_;
            if (!running_) {
                std::thread([this] { watch(); }).detach();
                running_ = true;
            }
        }
        if (wake)
            changed_.notify_one();
    }
    void ended() {
        const std::lock_guard lock(mutex_);
        launch_ = nullptr;
    }

private:
    void watch() {
        using namespace std::chrono_literals;
        std::unique_lock lock(mutex_);
        for (int idle = 0;; idle = launch_ == nullptr ? idle + 1 : 0) {
            if (launch_ != nullptr && interrupted)
                visor_launch_stop(launch_);
            constexpr int patience = 20;
            asleep_ = launch_ == nullptr && idle > patience;
            if (asleep_)
                changed_.wait(lock, [&] { return launch_ != nullptr; });
            else
                changed_.wait_for(lock, 50ms, [] { return false; });
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    visor_launch launch_ = nullptr;
    bool asleep_ = false;
    bool running_ = false;
};

} // namespace

Interrupts::Interrupts() {
    interrupted = false;
    sigaction(SIGINT, nullptr, &python_handler);
    const bool somebodys = (python_handler.sa_flags & SA_SIGINFO) != 0 ||
                           (python_handler.sa_handler != SIG_DFL && python_handler.sa_handler != SIG_IGN);
    if (!somebodys)
        return;
    struct sigaction ours{};
    ours.sa_sigaction = on_interrupt;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
    installed_ = sigaction(SIGINT, &ours, nullptr) == 0;
}

Interrupts::~Interrupts() {
    Watchman::get().ended();
    if (installed_)
        sigaction(SIGINT, &python_handler, nullptr);
}

void Interrupts::launch_began(void* /*user*/, visor_launch launch) {
    Watchman::get().began(launch);
}

} // namespace visor::python
