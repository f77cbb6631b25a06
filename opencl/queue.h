// Queues: commands in the order of their coming or, out of order, as their events allow. At most one thread
// at a time runs commands of a queue: one of the pool, or one of the application that waits for the queue
// anyway.
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
    std::deque<visor::opencl::Ref<_cl_event>> pending; // in order of their coming; not over yet
    std::deque<visor::opencl::Ref<_cl_event>> ready;
    visor::opencl::Ref<_cl_event> barrier; // all that come later wait for it
    bool active = false;                   // a thread is at a command
    bool called = false;                   // the pool has been asked for a thread

    [[nodiscard]] bool in_order() const { return (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0; }
};

namespace visor::opencl {

// Of a queue of the host.
inline constexpr cl_command_queue_properties known_queue_properties =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;

struct Recording; // commands/command_buffer.h

// What all enqueueing functions are given at the end.
struct EnqueueRequest {
    cl_command_type command = 0;
    cl_uint wait_count = 0;
    const cl_event* wait_list = nullptr;
    cl_event* event = nullptr;
    bool blocking = false;
    bool fence = false;   // what comes later waits for it: a barrier
    bool gathers = false; // without a wait list it waits for all that came before: a marker or a barrier
    const Recording* recording =
        nullptr; // goes to a command buffer of the queue; what stands above is unused
};

// The queue's and the wait list's validity is looked at here. What is recorded may be called any number of
// times, also on several threads at once, for as long as the command buffer lives, which holds the queue.
[[nodiscard]] cl_int enqueue(cl_command_queue queue, const EnqueueRequest& wish, Work work);
// The same look, for who has to know before.
[[nodiscard]] cl_int check(cl_command_queue queue, const EnqueueRequest& wish);

// Under the graph's lock: a command whose events are over goes to its queue.
void make_ready(_cl_event& event);
// Under the graph's lock, which is given back meanwhile: runs one command. False: there was none to run. Who
// stops asking for more calls for a thread before the lock goes.
bool run_one(std::unique_lock<std::mutex>& lock, _cl_command_queue& queue);
// Whether this thread is at a command of the queue, in a callback of the application's.
[[nodiscard]] bool is_at_command_of(const _cl_command_queue& queue);
// Under the graph's lock: somebody will run what is ready.
void call_for_a_thread(_cl_command_queue& queue);

} // namespace visor::opencl
