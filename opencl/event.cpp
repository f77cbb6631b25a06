#include "opencl/event.h"

#include "opencl/api.h"
#include "opencl/clock.h"
#include "opencl/query.h"
#include "opencl/queue.h"

#include <algorithm>
#include <iterator>
#include <span>

_cl_event::_cl_event(visor::opencl::Ref<_cl_context> of, visor::opencl::Ref<_cl_command_queue> on,
                     cl_command_type type)
    : context(std::move(of)), queue(std::move(on)), command(type) {
    times[0] = visor::opencl::now();
}

_cl_event::~_cl_event() = default;

namespace visor::opencl {

namespace {

void call(const Ref<_cl_event>& event, const _cl_event::Listener& listener, cl_int status) {
    platform().pool.call_back(
        [event, listener, status] { listener.notice(event.get(), status, listener.data); });
}

size_t time_index(cl_int status) {
    return static_cast<size_t>(CL_QUEUED - std::max(status, cl_int{CL_COMPLETE}));
}

// Sets the event's final status; adds dependent commands that are ready to `next`.
void settle(_cl_event& event, cl_int status, DeferredReleases& deferred, std::vector<Ref<_cl_event>>& next) {
    reach(event, status);
    for (_cl_event::Follower& follower : event.followers) {
        follower.event->has_failed_dependency =
            follower.event->has_failed_dependency || (follower.listed && status < 0);
        if (--follower.event->waits_for == 0)
            next.push_back(std::move(follower.event));
        else
            deferred.events.push_back(std::move(follower.event));
    }
    event.followers.clear();
    std::ranges::move(event.awaited, std::back_inserter(deferred.events));
    event.awaited.clear();
    if (event.work) // it will not run: releases its resources
        deferred.work.push_back(std::move(event.work));
    if (!event.queue)
        return;
    event.context->unfinished.erase(&event);
    auto& pending = event.queue->pending;
    const auto own =
        std::ranges::find_if(pending, [&](const Ref<_cl_event>& one) { return one.get() == &event; });
    if (own != pending.end()) {
        deferred.events.push_back(std::move(*own));
        pending.erase(own);
    }
    if (event.queue->barrier.get() == &event)
        deferred.events.push_back(std::move(event.queue->barrier));
}

} // namespace

void reach(_cl_event& event, cl_int status) {
    event.status = status;
    const cl_ulong time = now();
    const size_t index = time_index(status);
    for (size_t i = 1; i <= index; ++i) { // skipped states get the same time
        if (event.times[i] == 0)
            event.times[i] = time;
    }
    const Ref<_cl_event> held(&event);
    std::erase_if(event.listeners, [&](const _cl_event::Listener& listener) {
        if (status > listener.at)
            return false;
        call(held, listener, status < 0 ? status : listener.at);
        return true;
    });
}

void conclude(_cl_event& first, cl_int status, DeferredReleases& deferred) {
    std::vector<Ref<_cl_event>> next;
    settle(first, status, deferred, next);
    while (!next.empty()) {
        Ref<_cl_event> event = std::move(next.back());
        next.pop_back();
        if (event->has_failed_dependency)
            settle(*event, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, deferred, next);
        else
            make_ready(*event);
        deferred.events.push_back(std::move(event));
    }
    first.context->graph_changed.notify_all();
}

void follow(_cl_event& event, _cl_event& first, bool listed) {
    if (first.is_over()) {
        event.has_failed_dependency = event.has_failed_dependency || (listed && first.status < 0);
        return;
    }
    if (!first.queue)
        event.awaited.emplace_back(&first);
    first.followers.push_back({Ref<_cl_event>(&event), listed});
    ++event.waits_for;
}

cl_int check_wait_list(const _cl_context& context, cl_uint count, const cl_event* list) {
    if ((list == nullptr) != (count == 0))
        return CL_INVALID_EVENT_WAIT_LIST;
    for (const cl_event event : std::span(list, count)) {
        const Ref<_cl_event> held = hold_if_handle(event); // its command may be over at any moment
        if (!held)
            return CL_INVALID_EVENT_WAIT_LIST;
        if (held->context.get() != &context)
            return CL_INVALID_CONTEXT;
    }
    return CL_SUCCESS;
}

bool can_wait_for(_cl_event& event) {
    const std::lock_guard guard(event.context->graph);
    return event.is_over() || !event.queue || !is_at_command_of(*event.queue);
}

void wait_for_change(_cl_context& context, std::unique_lock<std::mutex>& lock) {
    const Calls::Cancellable here;
    context.graph_changed.wait(lock);
}

void wait_for(_cl_event& event) {
    const Ref<_cl_event> held(&event);
    std::unique_lock lock(event.context->graph);
    while (!event.is_over()) {
        if (event.queue && run_one(lock, *event.queue))
            continue;
        wait_for_change(*event.context, lock);
    }
    if (event.queue)
        call_for_a_thread(*event.queue);
}

cl_event create_user_event(cl_context context, cl_int* errcode_ret) {
    const Outcome outcome(errcode_ret);
    if (!is_valid(context))
        return outcome.fail(CL_INVALID_CONTEXT);
    auto* event = new _cl_event(Ref(context), {}, CL_COMMAND_USER);
    event->status = CL_SUBMITTED;
    return outcome.done(event);
}

cl_int set_user_event_status(cl_event event, cl_int status) {
    if (!is_valid(event) || event->command != CL_COMMAND_USER)
        return CL_INVALID_EVENT;
    if (status > CL_COMPLETE)
        return CL_INVALID_VALUE;
    const Ref<_cl_event> held(event);
    DeferredReleases deferred;
    const std::lock_guard guard(event->context->graph);
    if (std::exchange(event->set, true))
        return CL_INVALID_OPERATION;
    conclude(*event, status, deferred);
    return CL_SUCCESS;
}

cl_int set_event_callback(cl_event event, cl_int at, void(CL_CALLBACK* notice)(cl_event, cl_int, void*),
                          void* data) {
    if (!is_valid(event))
        return CL_INVALID_EVENT;
    if (notice == nullptr || (at != CL_SUBMITTED && at != CL_RUNNING && at != CL_COMPLETE))
        return CL_INVALID_VALUE;
    const _cl_event::Listener listener{at, notice, data};
    const std::lock_guard guard(event->context->graph);
    if (event->status <= at)
        call(Ref(event), listener, event->status < 0 ? event->status : at);
    else
        event->listeners.push_back(listener);
    return CL_SUCCESS;
}

cl_int wait_for_events(cl_uint count, const cl_event* list) {
    if (count == 0 || list == nullptr)
        return CL_INVALID_VALUE;
    const std::vector<Ref<_cl_event>> events = hold_valid(count, list);
    for (const Ref<_cl_event>& event : events) {
        if (!event)
            return CL_INVALID_EVENT;
        if (event->context.get() != events.front()->context.get())
            return CL_INVALID_CONTEXT;
        if (!can_wait_for(*event))
            return CL_INVALID_OPERATION;
    }
    bool failed = false;
    for (const Ref<_cl_event>& event : events) {
        wait_for(*event);
        const std::lock_guard guard(event->context->graph);
        failed = failed || event->status < 0;
    }
    return failed ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS;
}

cl_int retain_event(cl_event event) {
    return retain(event, CL_INVALID_EVENT);
}
cl_int release_event(cl_event event) {
    return release(event, CL_INVALID_EVENT);
}

cl_int get_event_info(cl_event event, cl_event_info what, size_t param_value_size, void* value,
                      size_t* needed) {
    if (!is_valid(event))
        return CL_INVALID_EVENT;
    const Query answer(param_value_size, value, needed);
    switch (what) {
    case CL_EVENT_COMMAND_QUEUE:
        return answer.value(event->queue.get());
    case CL_EVENT_CONTEXT:
        return answer.value(event->context.get());
    case CL_EVENT_COMMAND_TYPE:
        return answer.value(event->command);
    case CL_EVENT_COMMAND_EXECUTION_STATUS: {
        const std::lock_guard guard(event->context->graph);
        return answer.value(event->status);
    }
    case CL_EVENT_REFERENCE_COUNT:
        return answer.number(event->references());
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int get_event_profiling_info(cl_event event, cl_profiling_info what, size_t param_value_size, void* value,
                                size_t* needed) {
    if (!is_valid(event))
        return CL_INVALID_EVENT;
    const bool known = what >= CL_PROFILING_COMMAND_QUEUED && what <= CL_PROFILING_COMMAND_COMPLETE;
    if (!known)
        return CL_INVALID_VALUE;
    if (!event->queue || (event->queue->properties & CL_QUEUE_PROFILING_ENABLE) == 0)
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    const std::lock_guard guard(event->context->graph);
    if (event->status != CL_COMPLETE)
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    // Nothing enqueues children: the command is complete when it has ended.
    const size_t index = std::min<size_t>(what - CL_PROFILING_COMMAND_QUEUED, event->times.size() - 1);
    return Query(param_value_size, value, needed).value(event->times[index]);
}

} // namespace visor::opencl
