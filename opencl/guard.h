// The wrapper of every API function: holds the call's handles while it runs, and lets no exception out,
// except the forced unwinding of pthread_exit. Errors are reported on standard error, and become
// CL_OUT_OF_HOST_MEMORY.
#pragma once

#include "opencl/calls.h"
#include "opencl/object.h"
#include "opencl/platform.h"

#include <array>
#include <cstdio>
#include <exception>
#include <tuple>
#include <type_traits>

namespace visor::opencl {

// The result of a failed function: an error code, or nothing with the code in its last parameter.
template <class Result, class... Parameters>
Result refuse(cl_int code, Parameters... parameters) {
    if constexpr (std::is_same_v<Result, cl_int>) {
        return code;
    } else if constexpr (!std::is_void_v<Result>) {
        if constexpr (sizeof...(Parameters) > 0) {
            auto last = std::get<sizeof...(Parameters) - 1>(std::tuple(parameters...));
            if constexpr (std::is_same_v<decltype(last), cl_int*>) {
                if (last != nullptr)
                    *last = code;
            }
        }
        return Result{};
    }
}

// Holds a handle argument until the call ends. Platform and device are immortal.
template <class Parameter>
struct Held {
    explicit Held(Parameter /*no handle*/) {}
};
template <class T>
    requires std::is_base_of_v<Object, T> && (T::own_kind != Kind::platform && T::own_kind != Kind::device)
struct Held<T*> {
    explicit Held(T* handle) : object(hold_valid(handle)) {}
    Ref<T> object;
};

// `id`: the function's number for cl_intel_tracing. Its callbacks wrap all other parts of a call, so that the
// call uses arguments that they change.
template <auto function, tracing::FunctionId id>
struct Guard;
template <class Result, class... Parameters, Result (*function)(Parameters...), tracing::FunctionId id>
struct Guard<function, id> {
    static Result call(Parameters... parameters) {
        _cl_platform_id& only = platform();
        const Calls::Call call(only.calls);
        // Not traced: after fork the state of callbacks and their locks is undefined.
        if (only.calls.are_refused())
            return refuse<Result>(CL_OUT_OF_RESOURCES, parameters...);
        if constexpr (id != tracing::untraced)
            if (only.tracers.any_enabled()) [[unlikely]]
                return trace(only.tracers, parameters...);
        return run(parameters...);
    }

private:
    static Result run(Parameters... parameters) {
        try {
            [[maybe_unused]] const std::tuple held{Held<Parameters>(parameters)...};
            return function(parameters...);
        } catch (const std::exception& problem) {
            std::fprintf(stderr, "visor: %s\n", problem.what());
            return refuse<Result>(CL_OUT_OF_HOST_MEMORY, parameters...);
        }
    }

    static Result trace(tracing::Tracers& tracers, Parameters... parameters) {
        const std::array<const void*, sizeof...(Parameters) + 1> arguments{&parameters..., nullptr};
        tracing::Trace around(tracers, id, arguments.data());
        if constexpr (std::is_void_v<Result>) {
            run(parameters...);
            around.exit(nullptr);
        } else {
            Result result = run(parameters...);
            around.exit(&result);
            return result;
        }
    }
};
template <auto function, tracing::FunctionId id = tracing::untraced>
constexpr auto guarded = &Guard<function, id>::call;

} // namespace visor::opencl
