// What stands around every function that an application calls. What a call is given is held while the call
// lasts. No exception leaves, but what a thread of the C library's ends by: what runs out of memory says so,
// anything else is told and is an error of the host's resources.
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

// What a function gives that cannot do its work, and where it tells why: a code, or nothing and a code
// through its last parameter.
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

// A handle that a call is given, held until the call ends. Platform and device never end.
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

// `id`: the function's number for cl_intel_tracing. Its callbacks come around everything else that a call
// does, so that what they write into the arguments holds.
template <auto function, tracing::FunctionId id>
struct Guard;
template <class Result, class... Parameters, Result (*function)(Parameters...), tracing::FunctionId id>
struct Guard<function, id> {
    static Result call(Parameters... parameters) {
        _cl_platform_id& only = platform();
        const Calls::Call call(only.calls);
        // Not traced: in a child of fork callbacks and their locks may be in any state.
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
