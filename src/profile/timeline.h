// What ran when, in the trace event format of Chrome, which ui.perfetto.dev, chrome://tracing and speedscope
// read.
#pragma once

#include "machine/watch.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace visor::profile {

// Listens to launches, one after the other. A microsecond of the timeline is an instruction of a hardware
// thread: launches and work-groups are in the order in which one worker runs them, and so are the turns of a
// group's threads.
class Timeline final : public machine::Watcher {
public:
    static constexpr size_t default_most = 1'000'000;

    // Past `most` events no more are kept.
    explicit Timeline(size_t most = default_most) : most_(most) {}

    // A JSON object; what still runs ends now.
    [[nodiscard]] std::string json();
    [[nodiscard]] size_t dropped() const { return dropped_; }
    // Something that the host does between launches: "clEnqueueReadBuffer".
    void host(std::string_view name);

    [[nodiscard]] bool wants_undefined() const override { return false; }
    void launch_began(const machine::Launch& launch) override;
    void group_began(std::span<const machine::Thread> threads) override;
    void instruction(const machine::Thread& thread, const PreparedInstruction& instruction,
                     uint32_t lanes) override;
    void memory(const machine::MemoryEvent& event) override;
    void barrier_signalled(const machine::Thread& thread, const PreparedInstruction& instruction,
                           int barrier) override;
    void barrier_passed(const machine::Thread& thread, int barrier) override;
    void thread_ended(const machine::Thread& thread) override;

private:
    struct Counters {
        uint64_t lanes = 0;
        uint64_t possible_lanes = 0;
        uint64_t messages = 0;
        uint64_t bytes = 0;
    };
    // Of a thread of the group that runs.
    struct Arrival {
        bool waits = false;
        uint64_t since = 0;
        int barrier = 0;
    };

    // A slice from `since` to now, on a track.
    void slice(std::string_view name, uint64_t track, uint64_t since, std::string_view arguments);
    void add(std::string event);
    void end_group();
    void end_launch();

    size_t most_;
    size_t dropped_ = 0;
    std::vector<std::string> events_;
    uint64_t clock_ = 0;
    std::string kernel_; // of the launch that runs; "": none
    std::string launch_arguments_;
    uint64_t launch_since_ = 0;
    uint64_t launches_ = 0;
    std::string group_; // that runs; "": none
    uint64_t group_since_ = 0;
    size_t group_threads_ = 0;
    size_t most_threads_ = 0; // of any group
    Counters counters_;       // of the group
    std::vector<Arrival> arrivals_;
};

} // namespace visor::profile
