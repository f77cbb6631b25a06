#include "opencl/tracing/api.h"

#include "opencl/guard.h"

#include <array>

namespace visor::opencl {

namespace {

using tracing::Callback;
using tracing::FunctionId;
using tracing::Tracer;

cl_int create_handle(cl_device_id device, Callback callback, void* user_data, Tracer** handle) {
    if (!is_valid(device) || callback == nullptr || handle == nullptr)
        return CL_INVALID_VALUE;
    *handle = platform().tracers.create(callback, user_data);
    return CL_SUCCESS;
}

cl_int set_point(Tracer* handle, FunctionId function, cl_bool traced) {
    return platform().tracers.set_point(handle, function, traced != CL_FALSE);
}

cl_int destroy_handle(Tracer* handle) {
    return platform().tracers.destroy(handle);
}

cl_int enable(Tracer* handle) {
    return platform().tracers.enable(handle);
}

cl_int disable(Tracer* handle) {
    return platform().tracers.disable(handle);
}

cl_int get_state(Tracer* handle, cl_bool* enabled) {
    if (enabled == nullptr)
        return CL_INVALID_VALUE;
    bool is_enabled = false;
    const cl_int code = platform().tracers.get_state(handle, is_enabled);
    if (code == CL_SUCCESS)
        *enabled = is_enabled ? CL_TRUE : CL_FALSE;
    return code;
}

} // namespace

void* tracing_function(std::string_view name) {
    struct Named {
        std::string_view name;
        void* function;
    };
    const std::array functions{
        Named{"clCreateTracingHandleINTEL", reinterpret_cast<void*>(guarded<create_handle>)},
        Named{"clSetTracingPointINTEL", reinterpret_cast<void*>(guarded<set_point>)},
        Named{"clDestroyTracingHandleINTEL", reinterpret_cast<void*>(guarded<destroy_handle>)},
        Named{"clEnableTracingINTEL", reinterpret_cast<void*>(guarded<enable>)},
        Named{"clDisableTracingINTEL", reinterpret_cast<void*>(guarded<disable>)},
        Named{"clGetTracingStateINTEL", reinterpret_cast<void*>(guarded<get_state>)},
    };
    for (const Named& one : functions)
        if (one.name == name)
            return one.function;
    return nullptr;
}

} // namespace visor::opencl
