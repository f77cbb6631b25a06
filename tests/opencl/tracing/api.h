// cl_intel_tracing as its public header has it, its functions asked for by name as tools do.
#pragma once

#include <CL/cl.h>

namespace visor::opencl_test {

enum Site : cl_uint { site_enter = 0, site_exit = 1 };

struct CallbackData {
    Site site;
    cl_uint correlation_id;
    cl_ulong* correlation_data;
    const char* function_name;
    const void* parameters;
    void* result;
};

using TracingCallback = void (*)(cl_uint function, CallbackData* data, void* user_data);
struct TracingHandle;

constexpr cl_uint traced_functions = 158; // CL_FUNCTION_COUNT

class TracingApi {
    cl_platform_id platform_; // before the functions, which are asked of it

    template <class Function>
    Function get(const char* name) const {
        return reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform_, name));
    }

public:
    explicit TracingApi(cl_platform_id platform) : platform_(platform) {}

    using Create = cl_int (*)(cl_device_id, TracingCallback, void* user_data, TracingHandle**);
    Create create = get<Create>("clCreateTracingHandleINTEL");
    using SetPoint = cl_int (*)(TracingHandle*, cl_uint function, cl_bool);
    SetPoint set_point = get<SetPoint>("clSetTracingPointINTEL");
    using OfHandle = cl_int (*)(TracingHandle*);
    OfHandle destroy = get<OfHandle>("clDestroyTracingHandleINTEL");
    OfHandle enable = get<OfHandle>("clEnableTracingINTEL");
    OfHandle disable = get<OfHandle>("clDisableTracingINTEL");
    using GetState = cl_int (*)(TracingHandle*, cl_bool*);
    GetState get_state = get<GetState>("clGetTracingStateINTEL");

    [[nodiscard]] bool is_whole() const {
        return create != nullptr && set_point != nullptr && destroy != nullptr && enable != nullptr &&
               disable != nullptr && get_state != nullptr;
    }
};

} // namespace visor::opencl_test
