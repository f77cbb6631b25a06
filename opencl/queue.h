// Queues: run commands in order or, out of order, as their events allow. At most one thread at a time runs
// commands of a queue: a pool thread, or an application's thread that waits for the queue.
#pragma once

#include "opencl/event.h"

#include <deque>
#include <mutex>

struct _cl_command_queue : visor::opencl::Handle<visor::opencl::Kind::queue> {
    _cl_command_queue(visor::opencl::Ref<_cl_context> of, cl_command_queue_properties wanted)
        : context(std::move(of)), properties(wanted) {}

    const visor::opencl::Ref<_cl_context> context;
    const cl_command_queue_properties properties;
    std::vector<cl_queue_properties> given; // with the closing zero; empty: none

    // Under the graph's lock:
    std::deque<visor::opencl::Ref<_cl_event>> pending; // unfinished commands in order
    std::deque<visor::opencl::Ref<_cl_event>> ready;
    visor::opencl::Ref<_cl_event> barrier; // later commands wait for it
    bool active = false;                   // a thread runs a command
    bool called = false;                   // a pool thread was requested

    [[nodiscard]] bool in_order() const { return (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0; }
};

namespace visor::opencl {

// Properties of a host queue.
inline constexpr cl_command_queue_properties known_queue_properties =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;

struct Recording; // commands/command_buffer.h

// The common parameters of all enqueueing functions.
struct EnqueueRequest {
    cl_command_type command = 0;
    cl_uint wait_count = 0;
    const cl_event* wait_list = nullptr;
    cl_event* event = nullptr;
    bool blocking = false;
    bool fence = false;   // later commands wait for it: a barrier
    bool gathers = false; // without a wait list it waits for all earlier commands: a marker or a barrier
    const Recording* recording =
        nullptr; // goes to a command buffer of the queue; what stands above is unused
};

// Validates the queue and the wait list. Recorded work may be called repeatedly, also concurrently, as long
// as the command buffer lives, which holds the queue.
[[nodiscard]] cl_int enqueue(cl_command_queue queue, const EnqueueRequest& request, Work work);
// The same validation, for callers that need it earlier.
[[nodiscard]] cl_int check(cl_command_queue queue, const EnqueueRequest& request);

// Under the graph's lock: makes a command runnable whose wait list is complete.
void make_ready(_cl_event& event);
// Under the graph's lock, which is released meanwhile: runs one command. False: none was ready. A caller that
// stops requests a pool thread before it unlocks.
bool run_one(std::unique_lock<std::mutex>& lock, _cl_command_queue& queue);
// Whether this thread runs a command of the queue, in an application's callback.
[[nodiscard]] bool is_at_command_of(const _cl_command_queue& queue);
// Under the graph's lock: ensures that a thread runs the ready commands.
void call_for_a_thread(_cl_command_queue& queue);

} // namespace visor::opencl
