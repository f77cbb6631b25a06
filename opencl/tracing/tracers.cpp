#include "opencl/tracing/tracers.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <span>

namespace visor::opencl::tracing {

namespace {

// Of this thread.
struct Own {
    bool traced_call = false; // it is in one
    bool callback = false;    // it is in one of tracing
};

Own& own() {
    static thread_local Own of_thread;
    return of_thread;
}

} // namespace

// ---- handles

Tracer* Tracers::create(Callback callback, void* user_data) {
    auto made = std::make_shared<Tracer>(callback, user_data);
    const std::lock_guard guard(lock_);
    return all_.emplace_back(std::move(made)).get();
}

Tracers::Shared Tracers::find(const Tracer* handle) const {
    const auto found = std::ranges::find(all_, handle, [](const Shared& one) { return one.get(); });
    return found == all_.end() ? nullptr : *found;
}

cl_int Tracers::set_point(const Tracer* handle, FunctionId function, bool traced) {
    const std::lock_guard guard(lock_);
    const Shared tracer = find(handle);
    if (tracer == nullptr || function >= function_count)
        return CL_INVALID_VALUE;
    tracer->points[function] = traced;
    return CL_SUCCESS;
}

cl_int Tracers::enable(const Tracer* handle) {
    const std::lock_guard guard(lock_);
    const Shared tracer = find(handle);
    if (tracer == nullptr || tracer->enabling != 0)
        return CL_INVALID_VALUE;
    if (enabled_.size() == most_enabled)
        return CL_OUT_OF_RESOURCES;
    enabled_.push_back(tracer);
    tracer->enabling = ++enablings_;
    any_enabled_.store(true, std::memory_order_relaxed);
    return CL_SUCCESS;
}

void Tracers::stop(const Shared& tracer, std::unique_lock<std::mutex>& guard) {
    tracer->enabling = 0;
    std::erase(enabled_, tracer);
    any_enabled_.store(!enabled_.empty(), std::memory_order_relaxed);
    if (!own().callback)
        callback_returned_.wait(guard, [&] { return tracer->running == 0; });
}

cl_int Tracers::disable(const Tracer* handle) {
    std::unique_lock guard(lock_);
    const Shared tracer = find(handle);
    if (tracer == nullptr || tracer->enabling == 0)
        return CL_INVALID_VALUE;
    stop(tracer, guard);
    return CL_SUCCESS;
}

cl_int Tracers::destroy(const Tracer* handle) {
    std::unique_lock guard(lock_);
    const Shared tracer = find(handle);
    if (tracer == nullptr)
        return CL_INVALID_VALUE;
    std::erase(all_, tracer);
    stop(tracer, guard);
    return CL_SUCCESS;
}

cl_int Tracers::get_state(const Tracer* handle, bool& enabled) {
    const std::lock_guard guard(lock_);
    const Shared tracer = find(handle);
    if (tracer == nullptr)
        return CL_INVALID_VALUE;
    enabled = tracer->enabling != 0;
    return CL_SUCCESS;
}

// ---- calls

Trace::Trace(Tracers& tracers, FunctionId function, const void* arguments)
    : tracers_(tracers), function_(function) {
    if (own().traced_call)
        return;
    collect();
    if (count_ == 0)
        return;
    own().traced_call = true;
    data_.correlation_id = tracers_.calls_.fetch_add(1, std::memory_order_relaxed);
    data_.function_name = function_names[function];
    data_.parameters = arguments;
    call_back();
}

Trace::~Trace() {
    if (count_ != 0)
        own().traced_call = false;
}

void Trace::collect() {
    const std::lock_guard guard(tracers_.lock_);
    for (const auto& tracer : tracers_.enabled_)
        if (tracer->points[function_])
            seen_[count_++] = {.tracer = tracer, .enabling = tracer->enabling};
}

void Trace::exit(void* result) {
    data_.site = Site::exit;
    data_.result = result;
    call_back();
}

void Trace::call_back() {
    for (Seen& seen : std::span(seen_).first(count_))
        call_back(seen);
}

void Trace::call_back(Seen& seen) {
    // Counts the running callback; the destructor also runs when pthread_exit unwinds the thread.
    class Running {
    public:
        Running(Tracers& tracers, Tracer& tracer) : tracers_(tracers), tracer_(tracer) {
            own().callback = true;
        }
        ~Running() {
            own().callback = false;
            const std::lock_guard guard(tracers_.lock_);
            --tracer_.running;
            tracers_.callback_returned_.notify_all();
        }
        Running(const Running&) = delete;
        Running& operator=(const Running&) = delete;
        Running(Running&&) = delete;
        Running& operator=(Running&&) = delete;

    private:
        Tracers& tracers_;
        Tracer& tracer_;
    };

    {
        const std::lock_guard guard(tracers_.lock_);
        if (seen.tracer->enabling != seen.enabling) // disabled, and perhaps enabled again, meanwhile
            return;
        ++seen.tracer->running;
    }
    const Running running(tracers_, *seen.tracer);
    CallbackData data = data_; // a copy: callbacks do not see each other's changes
    data.correlation_data = &seen.correlation;
    try {
        seen.tracer->callback(function_, &data, seen.tracer->user_data);
    } catch (const std::exception& problem) {
        std::fprintf(stderr, "visor: a callback of cl_intel_tracing: %s\n", problem.what());
    }
}

} // namespace visor::opencl::tracing
