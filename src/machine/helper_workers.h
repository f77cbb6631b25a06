// Helper workers: further CPU threads that run groups of a launch. The caller's thread begins alone: waking
// another one takes time, on some machines as much as a small launch.
#pragma once

#include "machine/work_partition.h"
#include "machine/worker_pool.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>

namespace visor::machine {

// Decides whether to wake helpers, from the time that groups take. It reads no clock.
class WakeHeuristic {
public:
    // At most `most` helpers.
    explicit WakeHeuristic(uint32_t most) : most_(most) {}

    struct Decision {
        uint32_t helpers = 0; // that should be awake
        uint64_t groups = 0;  // to run before the next decision, while the caller is alone
    };
    // Called between groups on the caller's thread. `now`: on any monotonic clock; `done`: groups that this
    // thread has run; `left`: groups not started; `waking`: the cost of waking one thread.
    [[nodiscard]] Decision look(std::chrono::nanoseconds now, uint64_t done, uint64_t left,
                                std::chrono::nanoseconds waking);

private:
    uint32_t most_;
    std::chrono::nanoseconds since_{}; // the measurement's start
    uint64_t uncounted_ = 0;           // groups run before it
};

// Belongs to the caller's thread. The destructor waits for the helpers.
class HelperWorkers {
public:
    // `work` gets the worker's number, from 1 on, and throws nothing. `at_once`: wakes all.
    HelperWorkers(WorkerPool& pool, uint32_t count, bool at_once, std::function<void(uint32_t)> work);
    ~HelperWorkers();
    HelperWorkers(const HelperWorkers&) = delete;
    HelperWorkers& operator=(const HelperWorkers&) = delete;
    HelperWorkers(HelperWorkers&&) = delete;
    HelperWorkers& operator=(HelperWorkers&&) = delete;

    // Wakes helpers by WakeHeuristic::look. While the caller is alone, returns the groups to run before the
    // next call.
    std::optional<uint64_t> wake_if_worthwhile(uint64_t done, const WorkPartition& partition);

private:
    void wake(uint32_t count);
    void change(int32_t by);

    WorkerPool& pool_;
    uint32_t count_;
    uint32_t woken_ = 0;
    bool no_more_ = false; // the system has no more threads
    std::function<void(uint32_t)> work_;
    WakeHeuristic wake_heuristic_;
    std::mutex mutex_;
    std::condition_variable ended_;
    int32_t at_work_ = 0;
};

} // namespace visor::machine
