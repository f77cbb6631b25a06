#include "opencl/queue.h"

#include "opencl/api.h"
#include "opencl/commands/command_buffer.h"
#include "opencl/query.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace visor::opencl {

namespace {

// Runs ready commands until there are none, or another thread does.
void drain(const Ref<_cl_command_queue>& queue) {
    std::unique_lock lock(queue->context->graph);
    queue->called = false;
    while (run_one(lock, *queue)) {
    }
}

// Under the graph's lock.
void place(_cl_command_queue& queue, const EnqueueRequest& request, const std::vector<Ref<_cl_event>>& listed,
           const Ref<_cl_event>& event) {
    for (const Ref<_cl_event>& first : listed)
        follow(*event, *first, true);
    if (queue.in_order()) {
        if (!queue.pending.empty())
            follow(*event, *queue.pending.back(), false);
    } else {
        if (queue.barrier)
            follow(*event, *queue.barrier, false);
        if (request.gathers && request.wait_count == 0) {
            for (const Ref<_cl_event>& first : queue.pending)
                follow(*event, *first, false);
        }
    }
    queue.pending.push_back(event);
    queue.context->unfinished.insert(event.get());
}

cl_command_queue create(cl_context context, cl_device_id device, cl_command_queue_properties properties,
                        std::vector<cl_queue_properties> given, cl_int* errcode_ret) {
    const Outcome outcome(errcode_ret);
    if (!is_valid(context))
        return outcome.fail(CL_INVALID_CONTEXT);
    if (!is_valid(device))
        return outcome.fail(CL_INVALID_DEVICE);
    if ((properties & ~(known_queue_properties | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT)) != 0)
        return outcome.fail(CL_INVALID_VALUE);
    if ((properties & ~known_queue_properties) != 0)
        return outcome.fail(CL_INVALID_QUEUE_PROPERTIES);
    auto* queue = new _cl_command_queue(Ref(context), properties);
    queue->given = std::move(given);
    return outcome.done(queue);
}

class Running;

// The innermost command that this thread runs (callbacks nest). Trivially destructible: destructors of static
// objects run after thread_local ones, and may still run commands.
const Running*& innermost() {
    static thread_local const Running* command = nullptr;
    return command;
}

// A running command. It is concluded even if the thread ends in the middle, when an application's callback
// calls pthread_exit.
class Running {
public:
    Running(std::unique_lock<std::mutex>& lock, _cl_command_queue& queue, _cl_event& event)
        : lock_(lock), queue_(queue), event_(event) {
        innermost() = this;
        queue_.active = true;
        reach(event_, CL_RUNNING);
    }
    ~Running() {
        innermost() = outer_;
        const bool has_result = result_.has_value();
        event_.work = nullptr;
        DeferredReleases deferred; // released after the lock
        lock_.lock();
        conclude(event_, result_.value_or(CL_OUT_OF_RESOURCES), deferred);
        queue_.active = false;
        if (!has_result) // this thread will not run the next one
            call_for_a_thread(queue_);
        lock_.unlock();
    }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    Running(Running&&) = delete;
    Running& operator=(Running&&) = delete;

    void end(cl_int result) { result_ = result; }
    [[nodiscard]] const Running* outer() const { return outer_; }
    [[nodiscard]] const _cl_command_queue& queue() const { return queue_; }

private:
    const Running* outer_ = innermost();
    std::unique_lock<std::mutex>& lock_;
    _cl_command_queue& queue_;
    _cl_event& event_;
    std::optional<cl_int> result_;
};

// A blocking command, which uses the enqueueing thread's data. When that thread is cancelled, the command is
// dropped, or awaited if it runs.
class Awaited {
public:
    explicit Awaited(_cl_event& event) : event_(event) {}
    ~Awaited() {
        std::unique_lock lock(event_.context->graph);
        event_.has_failed_dependency = event_.has_failed_dependency || !event_.is_over();
        while (event_.status == CL_RUNNING)
            event_.context->graph_changed.wait(lock);
    }
    Awaited(const Awaited&) = delete;
    Awaited& operator=(const Awaited&) = delete;
    Awaited(Awaited&&) = delete;
    Awaited& operator=(Awaited&&) = delete;

private:
    _cl_event& event_;
};

// An event with its initial reference, until the application owns that.
class Fresh {
public:
    explicit Fresh(cl_event event) : event_(event) {}
    ~Fresh() {
        if (event_ != nullptr)
            static_cast<void>(release(event_, CL_INVALID_EVENT));
    }
    Fresh(const Fresh&) = delete;
    Fresh& operator=(const Fresh&) = delete;
    Fresh(Fresh&&) = delete;
    Fresh& operator=(Fresh&&) = delete;

    [[nodiscard]] cl_event take() { return std::exchange(event_, nullptr); }

private:
    cl_event event_;
};

} // namespace

bool is_at_command_of(const _cl_command_queue& queue) {
    for (const Running* command = innermost(); command != nullptr; command = command->outer())
        if (&command->queue() == &queue)
            return true;
    return false;
}

void call_for_a_thread(_cl_command_queue& queue) {
    if (queue.ready.empty() || queue.active || queue.called)
        return;
    queue.called = true;
    platform().pool.run([held = Ref(&queue)] { drain(held); });
}

void make_ready(_cl_event& event) {
    reach(event, CL_SUBMITTED);
    event.queue->ready.emplace_back(&event);
    call_for_a_thread(*event.queue);
}

bool run_one(std::unique_lock<std::mutex>& lock, _cl_command_queue& queue) {
    if (queue.active || queue.ready.empty())
        return false;
    const Ref<_cl_event> event = std::move(queue.ready.front());
    queue.ready.pop_front();
    {
        Running running(lock, queue, *event);
        lock.unlock();
        try {
            const _cl_context::Command command(*queue.context);
            if (event->command != CL_COMMAND_NDRANGE_KERNEL)
                platform().profiles.host(event->command);
            running.end(event->work ? event->work() : CL_SUCCESS);
        } catch (const std::exception&) { // the command has failed; the queue continues
            running.end(CL_OUT_OF_HOST_MEMORY);
        }
    }
    lock.lock();
    return true;
}

cl_int check(cl_command_queue queue, const EnqueueRequest& request) {
    if (!is_valid(queue))
        return CL_INVALID_COMMAND_QUEUE;
    if (request.recording != nullptr)
        return check_sync_points(*request.recording);
    return check_wait_list(*queue->context, request.wait_count, request.wait_list);
}

cl_int enqueue(cl_command_queue queue, const EnqueueRequest& request, Work work) {
    if (const cl_int problem = check(queue, request); problem != CL_SUCCESS)
        return problem;
    if (request.recording != nullptr)
        return append(*request.recording, std::move(work));
    if (request.blocking && is_at_command_of(*queue))
        return CL_INVALID_OPERATION;
    const std::vector<Ref<_cl_event>> listed = hold_valid(request.wait_count, request.wait_list);
    if (!std::ranges::all_of(listed, [](const Ref<_cl_event>& one) { return static_cast<bool>(one); }))
        return CL_INVALID_EVENT_WAIT_LIST;
    auto* made = new _cl_event(queue->context, Ref(queue), request.command);
    Fresh fresh(made);
    const Ref<_cl_event> event(made);
    made->work = std::move(work);
    {
        DeferredReleases deferred;
        const std::lock_guard guard(queue->context->graph);
        place(*queue, request, listed, event);
        if (request.fence && !queue->in_order()) {
            if (queue->barrier)
                deferred.events.push_back(std::move(queue->barrier));
            queue->barrier = event;
        }
        if (event->waits_for == 0) {
            if (event->has_failed_dependency)
                conclude(*event, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, deferred);
            else
                make_ready(*event);
        }
    }
    cl_int result = CL_SUCCESS;
    if (request.blocking) {
        {
            const Awaited awaited(*event);
            wait_for(*event);
        }
        const std::lock_guard guard(event->context->graph);
        if (event->status < 0)
            result = event->status;
    }
    if (request.event != nullptr && result == CL_SUCCESS)
        *request.event = fresh.take();
    return result;
}

cl_command_queue create_command_queue(cl_context context, cl_device_id device,
                                      cl_command_queue_properties properties, cl_int* errcode_ret) {
    return create(context, device, properties, {}, errcode_ret);
}

cl_command_queue create_command_queue_with_properties(cl_context context, cl_device_id device,
                                                      const cl_queue_properties* given, cl_int* errcode_ret) {
    const Outcome outcome(errcode_ret);
    cl_command_queue_properties properties = 0;
    std::vector<cl_queue_properties> kept;
    for (const cl_queue_properties* at = given; at != nullptr && *at != 0; at += 2) {
        if (at[0] == CL_QUEUE_SIZE)
            return outcome.fail(CL_INVALID_QUEUE_PROPERTIES);
        if (at[0] != CL_QUEUE_PROPERTIES)
            return outcome.fail(CL_INVALID_VALUE);
        properties = at[1];
        kept.insert(kept.end(), {at[0], at[1]});
    }
    if (given != nullptr)
        kept.push_back(0);
    return create(context, device, properties, std::move(kept), errcode_ret);
}

cl_int retain_command_queue(cl_command_queue queue) {
    return retain(queue, CL_INVALID_COMMAND_QUEUE);
}
cl_int release_command_queue(cl_command_queue queue) {
    return release(queue, CL_INVALID_COMMAND_QUEUE); // commands hold it until they are over
}

cl_int get_command_queue_info(cl_command_queue queue, cl_command_queue_info what, size_t param_value_size,
                              void* value, size_t* needed) {
    if (!is_valid(queue))
        return CL_INVALID_COMMAND_QUEUE;
    const Query answer(param_value_size, value, needed);
    switch (what) {
    case CL_QUEUE_CONTEXT:
        return answer.value(queue->context.get());
    case CL_QUEUE_DEVICE:
        return answer.value(cl_device_id{&platform().device});
    case CL_QUEUE_REFERENCE_COUNT:
        return answer.number(queue->references());
    case CL_QUEUE_PROPERTIES:
        return answer.value(queue->properties);
    case CL_QUEUE_PROPERTIES_ARRAY:
        return answer.list<cl_queue_properties>(queue->given);
    case CL_QUEUE_DEVICE_DEFAULT:
        return answer.value(cl_command_queue{nullptr});
    case CL_QUEUE_SIZE:
        return CL_INVALID_COMMAND_QUEUE; // not a device queue
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int set_command_queue_property(cl_command_queue queue, cl_command_queue_properties /*properties*/,
                                  cl_bool /*enable*/, cl_command_queue_properties* /*before*/) {
    return is_valid(queue) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE; // as of OpenCL 1.1
}

cl_int flush(cl_command_queue queue) {
    return is_valid(queue) ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE; // commands are submitted when enqueued
}

cl_int finish(cl_command_queue queue) {
    if (!is_valid(queue))
        return CL_INVALID_COMMAND_QUEUE;
    const Ref<_cl_command_queue> held(queue);
    std::unique_lock lock(queue->context->graph);
    // Does not wait for later commands.
    Ref<_cl_event> last = queue->pending.empty() ? Ref<_cl_event>() : queue->pending.back();
    std::deque<Ref<_cl_event>> all;
    if (!queue->in_order())
        all = queue->pending;
    else if (last)
        all.push_back(last);
    if (!all.empty() && is_at_command_of(*queue))
        return CL_INVALID_OPERATION;
    const auto over = [&] {
        return std::ranges::all_of(all, [](const Ref<_cl_event>& event) { return event->is_over(); });
    };
    while (!over()) {
        if (!run_one(lock, *queue))
            wait_for_change(*queue->context, lock);
    }
    call_for_a_thread(*queue);
    lock.unlock();
    return CL_SUCCESS;
}

cl_int enqueue_marker_with_wait_list(cl_command_queue queue, cl_uint count, const cl_event* list,
                                     cl_event* event) {
    return enqueue(queue,
                   {.command = CL_COMMAND_MARKER,
                    .wait_count = count,
                    .wait_list = list,
                    .event = event,
                    .gathers = true},
                   {});
}

cl_int enqueue_barrier_with_wait_list(cl_command_queue queue, cl_uint count, const cl_event* list,
                                      cl_event* event) {
    return enqueue(queue,
                   {.command = CL_COMMAND_BARRIER,
                    .wait_count = count,
                    .wait_list = list,
                    .event = event,
                    .fence = true,
                    .gathers = true},
                   {});
}

cl_int enqueue_marker(cl_command_queue queue, cl_event* event) {
    if (!is_valid(queue))
        return CL_INVALID_COMMAND_QUEUE;
    if (event == nullptr)
        return CL_INVALID_VALUE;
    return enqueue_marker_with_wait_list(queue, 0, nullptr, event);
}

cl_int enqueue_barrier(cl_command_queue queue) {
    return enqueue_barrier_with_wait_list(queue, 0, nullptr, nullptr);
}

cl_int enqueue_wait_for_events(cl_command_queue queue, cl_uint count, const cl_event* list) {
    if (!is_valid(queue))
        return CL_INVALID_COMMAND_QUEUE;
    if (count == 0 || list == nullptr)
        return CL_INVALID_VALUE;
    const cl_int result = enqueue_barrier_with_wait_list(queue, count, list, nullptr);
    return result == CL_INVALID_EVENT_WAIT_LIST ? CL_INVALID_EVENT : result;
}

} // namespace visor::opencl
