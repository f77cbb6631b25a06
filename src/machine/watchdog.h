// The watchdog: stops a launch at its time limit.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace visor::machine {

// Sets a flag when the time is up or the caller's flag is set.
class Watchdog {
public:
    // `timeout`: seconds from now; none when not above zero. `external` may be null, and outlives this.
    Watchdog(double timeout, const std::atomic<bool>* external);
    ~Watchdog();
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;
    Watchdog(Watchdog&&) = delete;
    Watchdog& operator=(Watchdog&&) = delete;

    // What threads poll; null when nothing can stop them.
    [[nodiscard]] const std::atomic<bool>* flag() const { return thread_.joinable() ? &stop_ : external_; }
    [[nodiscard]] bool expired() const { return expired_; }

private:
    void watch();

    const std::atomic<bool>* external_;
    std::chrono::steady_clock::time_point deadline_;
    std::atomic<bool> stop_ = false;
    std::atomic<bool> expired_ = false;
    bool over_ = false;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::thread thread_;
};

} // namespace visor::machine
