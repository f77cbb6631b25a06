// Helper workers: the other CPU threads that work at a launch. The caller's thread begins alone: it costs
// CPU time to wake another one, on some machines as much as a small launch takes, and it comes late.
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

// Whether it pays to call others, from how fast groups are done. It reads no clock.
class Prospect {
public:
    // At most so many others.
    explicit Prospect(uint32_t most) : most_(most) {}

    struct Answer {
        uint32_t others = 0; // that should be at work
        uint64_t groups = 0; // to do before it is asked again, while one is alone
    };
    // Of the caller's thread, between groups. `now`: since any point of time; `done`: groups that this thread
    // has done; `left`: that nobody has begun; `waking`: what it takes to wake one thread.
    [[nodiscard]] Answer look(std::chrono::nanoseconds now, uint64_t done, uint64_t left,
                              std::chrono::nanoseconds waking);

private:
    uint32_t most_;
    std::chrono::nanoseconds since_{}; // what groups take is counted from here on
    uint64_t uncounted_ = 0;           // groups done before
};

// Of the caller's thread; whoever was called has ended when it goes.
class HelperWorkers {
public:
    // `work` gets the worker's number, from 1 on, and throws nothing. `at_once`: all are called.
    HelperWorkers(WorkerPool& pool, uint32_t count, bool at_once, std::function<void(uint32_t)> work);
    ~HelperWorkers();
    HelperWorkers(const HelperWorkers&) = delete;
    HelperWorkers& operator=(const HelperWorkers&) = delete;
    HelperWorkers(HelperWorkers&&) = delete;
    HelperWorkers& operator=(HelperWorkers&&) = delete;

    // Calls those that are worth it; see Prospect::look. While the thread is alone: groups to do before it
    // asks again.
    std::optional<uint64_t> call_if_worth(uint64_t done, const WorkPartition& shares);

private:
    void call(uint32_t count);
    void change(int32_t by);

    WorkerPool& pool_;
    uint32_t count_;
    uint32_t called_ = 0;
    bool no_more_ = false; // the system has no more threads
    std::function<void(uint32_t)> work_;
    Prospect prospect_;
    std::mutex mutex_;
    std::condition_variable ended_;
    int32_t at_work_ = 0;
};

} // namespace visor::machine
