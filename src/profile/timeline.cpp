#include "profile/timeline.h"

#include "machine/thread.h"
#include "trace/value.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <utility>

namespace visor::profile {

namespace {

// Tracks: what the host does, launches, the worker's groups, then the group's hardware threads.
enum Track : uint64_t { host_track = 1, launch_track, worker_track, first_thread_track };

std::string track_name(uint64_t track, std::string_view name) {
    return fmt::format(R"({{"ph":"M","pid":1,"tid":{},"name":"thread_name","args":{{"name":{}}}}})", track,
                       trace::json_string(name));
}

} // namespace

void Timeline::add(std::string event) {
    if (events_.size() < most_)
        events_.push_back(std::move(event));
    else
        ++dropped_;
}

void Timeline::slice(std::string_view name, uint64_t track, uint64_t since, std::string_view arguments) {
    add(fmt::format(R"({{"ph":"X","pid":1,"tid":{},"ts":{},"dur":{},"name":{},"args":{{{}}}}})", track, since,
                    clock_ - since, trace::json_string(name), arguments));
}

void Timeline::host(std::string_view name) {
    end_launch();
    add(fmt::format(R"({{"ph":"i","s":"t","pid":1,"tid":{},"ts":{},"name":{}}})", uint64_t{host_track},
                    clock_, trace::json_string(name)));
}

void Timeline::launch_began(const machine::Launch& launch) {
    end_launch();
    kernel_ = launch.program->function->name;
    launch_since_ = clock_;
    launch_arguments_ = fmt::format(
        R"("launch":{},"groups":"{}x{}x{}","hardware_threads":{},"simd":{},"slm_bytes":{})", launches_++,
        launch.groups[0], launch.groups[1], launch.groups[2], launch.threads, launch.simd, launch.slm_bytes);
}

void Timeline::group_began(std::span<const machine::Thread> threads) {
    end_group();
    if (threads.empty())
        return;
    const machine::Group& group = *threads.front().group;
    group_ = fmt::format("group {},{},{}", group.id[0], group.id[1], group.id[2]);
    group_since_ = clock_;
    group_threads_ = threads.size();
    most_threads_ = std::max(most_threads_, group_threads_);
    counters_ = {};
    arrivals_.assign(threads.size(), {});
}

void Timeline::instruction(const machine::Thread& /*thread*/, const PreparedInstruction& instruction,
                           uint32_t lanes) {
    ++clock_;
    counters_.lanes += static_cast<uint64_t>(std::popcount(lanes));
    counters_.possible_lanes += instruction.execution.size;
}

void Timeline::memory(const machine::MemoryEvent& event) {
    ++counters_.messages;
    counters_.bytes +=
        uint64_t{event.bytes} * static_cast<uint64_t>(std::popcount(event.lanes & ~event.dropped));
}

void Timeline::barrier_signalled(const machine::Thread& thread, const PreparedInstruction& /*instruction*/,
                                 int barrier) {
    if (thread.index < arrivals_.size())
        arrivals_[thread.index] = {true, clock_, barrier};
}

void Timeline::barrier_passed(const machine::Thread& thread, int /*barrier*/) {
    if (thread.index >= arrivals_.size() || !arrivals_[thread.index].waits)
        return;
    const Arrival& arrival = arrivals_[thread.index];
    const std::string which =
        arrival.barrier == machine::group_barrier ? "" : fmt::format(R"("barrier":{})", arrival.barrier);
    slice("barrier", first_thread_track + thread.index, arrival.since, which);
    arrivals_[thread.index].waits = false;
}

void Timeline::thread_ended(const machine::Thread& thread) {
    if (thread.index < arrivals_.size())
        arrivals_[thread.index].waits = false;
}

void Timeline::end_group() {
    if (group_.empty())
        return;
    slice(group_, worker_track, group_since_,
          fmt::format(R"("hardware_threads":{},"messages":{},"bytes":{})", group_threads_, counters_.messages,
                      counters_.bytes));
    const double lanes = counters_.possible_lanes == 0 ? 0
                                                       : 100.0 * static_cast<double>(counters_.lanes) /
                                                             static_cast<double>(counters_.possible_lanes);
    add(fmt::format(R"({{"ph":"C","pid":1,"ts":{},"name":"lanes on, percent","args":{{"lanes":{:.1f}}}}})",
                    group_since_, lanes));
    add(fmt::format(R"({{"ph":"C","pid":1,"ts":{},"name":"bytes of messages","args":{{"bytes":{}}}}})",
                    group_since_, counters_.bytes));
    group_.clear();
}

void Timeline::end_launch() {
    end_group();
    if (kernel_.empty())
        return;
    slice(kernel_, launch_track, launch_since_, launch_arguments_);
    kernel_.clear();
}

std::string Timeline::json() {
    end_launch();
    std::string out =
        fmt::format(R"({{"displayTimeUnit":"ms","otherData":{{"time":"a microsecond is an instruction of a )"
                    R"(hardware thread","dropped_events":{}}},"traceEvents":[)"
                    "\n",
                    dropped_);
    out += R"({"ph":"M","pid":1,"tid":0,"name":"process_name","args":{"name":"visor"}})";
    for (const auto& [track, name] : {std::pair{uint64_t{host_track}, "host"},
                                      {uint64_t{launch_track}, "launches"},
                                      {uint64_t{worker_track}, "worker 0: work-groups"}})
        out += ",\n" + track_name(track, name);
    for (size_t i = 0; i < most_threads_; ++i)
        out += ",\n" + track_name(first_thread_track + i, fmt::format("hardware thread {}", i));
    for (const std::string& event : events_) {
        out += ",\n";
        out += event;
    }
    out += "\n]}\n";
    return out;
}

} // namespace visor::profile
