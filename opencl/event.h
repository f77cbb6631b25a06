// An event and its command are one object. The lock of the context's graph guards its mutable members, except
// `work`, which belongs to the running thread.
#pragma once

#include "opencl/context.h"
#include "opencl/object.h"
#include "opencl/pool.h"

#include <array>
#include <functional>
#include <vector>

namespace visor::opencl {

using Work = std::move_only_function<cl_int()>; // CL_SUCCESS, or how the command failed
using Notice = void(CL_CALLBACK*)(cl_event, cl_int, void*);

// References that are released after unlocking: releasing the last one may destroy the lock, and call the
// application.
struct DeferredReleases {
    std::vector<Ref<_cl_event>> events;
    std::vector<Work> work;
};

} // namespace visor::opencl

struct _cl_event : visor::opencl::Handle<visor::opencl::Kind::event> {
    _cl_event(visor::opencl::Ref<_cl_context> of, visor::opencl::Ref<_cl_command_queue> on,
              cl_command_type type);
    ~_cl_event();

    const visor::opencl::Ref<_cl_context> context;
    const visor::opencl::Ref<_cl_command_queue> queue; // none: a user event
    const cl_command_type command;
    visor::opencl::Work work;

    struct Follower {
        visor::opencl::Ref<_cl_event> event;
        bool listed = false; // has this event in its wait list: fails with it
    };
    struct Listener {
        cl_int at;
        visor::opencl::Notice notice;
        void* data;
    };
    cl_int status = CL_QUEUED;
    std::array<cl_ulong, 4> times{}; // when it was queued, submitted, began and ended
    uint32_t waits_for = 0;
    bool has_failed_dependency = false; // an event of its wait list failed
    bool set = false;                   // a user event: its status is set
    std::vector<Follower> followers;
    // User events that it waits for: their status may be set after their last release.
    std::vector<visor::opencl::Ref<_cl_event>> awaited;
    std::vector<Listener> listeners;

    [[nodiscard]] bool is_over() const { return status <= CL_COMPLETE; }
};

namespace visor::opencl {

// ---- under the graph's lock

// Advances the status; its callbacks are called when their status is reached.
void reach(_cl_event& event, cl_int status);
// Completes the event, or fails it; dependent commands may start.
void conclude(_cl_event& event, cl_int status, DeferredReleases& deferred);
// `event` waits for `first`, unless that is over.
void follow(_cl_event& event, _cl_event& first, bool listed);

// ---- not under it

// Validates a wait list for this context: CL_SUCCESS or the error code.
[[nodiscard]] cl_int check_wait_list(const _cl_context& context, cl_uint count, const cl_event* list);
// False: this thread runs a command of the event's queue, in an application callback, so that waiting would
// deadlock.
[[nodiscard]] bool can_wait_for(_cl_event& event);
// Waits until it is over. The thread runs commands of the queue meanwhile; while it blocks, it may be
// cancelled.
void wait_for(_cl_event& event);
// Under the graph's lock, which is released meanwhile: waits for a change. Likewise.
void wait_for_change(_cl_context& context, std::unique_lock<std::mutex>& lock);

} // namespace visor::opencl
