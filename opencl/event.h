// An event and the command that it stands for are one object. What changes with time is guarded by the lock
// of the context's graph; only `work` belongs to whoever runs it.
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

// What goes when a lock has been given back: the last hold of an object may take the lock with it, and call
// the application.
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
    const visor::opencl::Ref<_cl_command_queue> queue; // none: the application's own
    const cl_command_type command;
    visor::opencl::Work work;

    struct Follower {
        visor::opencl::Ref<_cl_event> event;
        bool listed = false; // named in a wait list: it fails with this one
    };
    struct Listener {
        cl_int at;
        visor::opencl::Notice notice;
        void* data;
    };
    cl_int status = CL_QUEUED;
    std::array<cl_ulong, 4> times{}; // when it was queued, submitted, began and ended
    uint32_t waits_for = 0;
    bool spoiled = false; // an event of its wait list failed
    bool set = false;     // the application's own: has its status
    std::vector<Follower> followers;
    // The application's own events that it waits for: they may be given their status after their last
    // release.
    std::vector<visor::opencl::Ref<_cl_event>> awaited;
    std::vector<Listener> listeners;

    [[nodiscard]] bool is_over() const { return status <= CL_COMPLETE; }
};

namespace visor::opencl {

// ---- under the graph's lock

// Its listeners are called when the status has come as far as they wait for.
void reach(_cl_event& event, cl_int status);
// Over, well or badly; whatever waited for it may go on.
void conclude(_cl_event& event, cl_int status, DeferredReleases& leftovers);
// `event` waits for `first`, unless that is over.
void follow(_cl_event& event, _cl_event& first, bool listed);

// ---- not under it

// Whether a wait list is one, of this context; the code to return when it is not.
[[nodiscard]] cl_int check_wait_list(const _cl_context& context, cl_uint count, const cl_event* list);
// False: this thread is at a command of the event's queue, in a callback of the application's, and nobody
// else will run the queue meanwhile.
[[nodiscard]] bool can_wait_for(_cl_event& event);
// Until it is over. The thread lends a hand to the queue meanwhile; where it has none to lend, it may be
// cancelled.
void wait_for(_cl_event& event);
// Under the graph's lock, which is given back meanwhile: until something has changed. Likewise.
void wait_for_change(_cl_context& context, std::unique_lock<std::mutex>& lock);

} // namespace visor::opencl
