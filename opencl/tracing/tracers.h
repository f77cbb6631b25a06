// Tracing callbacks before and after API functions (cl_intel_tracing). All of it runs inside of calls
// (opencl/calls.h): in a child of fork that continues, no other thread was in it, and no lock is held.
#pragma once

#include "opencl/tracing/functions.h"

#include <array>
#include <atomic>
#include <bitset>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace visor::opencl::tracing {

// ---- The extension's types, which no header of Khronos has.

enum class Site : cl_uint { enter = 0, exit = 1 };

// The data of a callback. It may change arguments and result.
struct CallbackData {
    Site site = Site::enter;
    cl_uint correlation_id = 0;           // one for each call
    cl_ulong* correlation_data = nullptr; // the handle's own of this call, zero at first
    const char* function_name = nullptr;
    const void* parameters = nullptr; // the addresses of the arguments, in their order
    void* result = nullptr;           // its address, at the exit; null: there is none
};

using Callback = void(CL_CALLBACK*)(FunctionId function, CallbackData* data, void* user_data);

// One tracing handle (cl_tracing_handle). All but the first two are under the lock of Tracers.
struct Tracer {
    Tracer(Callback to_call, void* with) : callback(to_call), user_data(with) {}

    const Callback callback;
    void* const user_data;
    std::bitset<function_count> points; // the functions that it traces
    uint64_t enabling = 0;              // number of the enabling; 0: disabled
    size_t running = 0;                 // running callbacks
};

// All handles of the platform. Thread-safe. Invalid or stale handles give CL_INVALID_VALUE, and are not
// dereferenced.
class Tracers {
public:
    static constexpr size_t most_enabled = 16;

    [[nodiscard]] bool any_enabled() const { return any_enabled_.load(std::memory_order_relaxed); }

    [[nodiscard]] Tracer* create(Callback callback, void* user_data);
    [[nodiscard]] cl_int set_point(const Tracer* handle, FunctionId function, bool traced);
    // CL_INVALID_VALUE: it is enabled. CL_OUT_OF_RESOURCES: at the limit.
    [[nodiscard]] cl_int enable(const Tracer* handle);
    // CL_INVALID_VALUE: it is not enabled. Waits until its callbacks have returned, except inside of a
    // callback, which would deadlock.
    [[nodiscard]] cl_int disable(const Tracer* handle);
    // Disables it first.
    [[nodiscard]] cl_int destroy(const Tracer* handle);
    [[nodiscard]] cl_int get_state(const Tracer* handle, bool& enabled);

private:
    friend class Trace;
    using Shared = std::shared_ptr<Tracer>;

    [[nodiscard]] Shared find(const Tracer* handle) const;
    void stop(const Shared& tracer, std::unique_lock<std::mutex>& guard);

    std::mutex lock_;
    std::condition_variable callback_returned_;
    std::vector<Shared> all_;
    std::vector<Shared> enabled_; // in the order of enabling, which is the order of callbacks
    std::atomic<bool> any_enabled_ = false;
    std::atomic<cl_uint> calls_ = 0;
    uint64_t enablings_ = 0;
};

// A traced call. Nested calls, by callbacks of any kind, are not traced.
class Trace {
public:
    // Calls the callbacks of tracers of the function. `arguments`: their addresses; they must outlive this.
    Trace(Tracers& tracers, FunctionId function, const void* arguments);
    ~Trace();
    Trace(const Trace&) = delete;
    Trace& operator=(const Trace&) = delete;
    Trace(Trace&&) = delete;
    Trace& operator=(Trace&&) = delete;

    // Calls the callbacks of tracers that have seen the call begin and are still enabled. `result`: its
    // address, or null.
    void exit(void* result);

private:
    struct Seen {
        std::shared_ptr<Tracer> tracer;
        uint64_t enabling = 0;
        cl_ulong correlation = 0;
    };

    void collect();
    void call_back();
    void call_back(Seen& seen);

    Tracers& tracers_;
    FunctionId function_;
    CallbackData data_;
    std::array<Seen, Tracers::most_enabled> seen_;
    size_t count_ = 0;
};

} // namespace visor::opencl::tracing
