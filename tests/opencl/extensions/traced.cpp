// Tracing: all six functions around one that is traced.
#include "host.h"

#include "../tracing/api.h"

#include <array>

namespace visor::opencl_extensions {

namespace {

using opencl_test::CallbackData;
using opencl_test::TracingApi;
using opencl_test::TracingHandle;

constexpr cl_uint create_buffer = 3;

void note(cl_uint /*function*/, CallbackData* data, void* user_data) {
    auto& text = *static_cast<std::string*>(user_data);
    text += fmt::format("{} {};", data->function_name, static_cast<cl_uint>(data->site));
    if (data->site == opencl_test::site_exit && *static_cast<cl_mem*>(data->result) == nullptr)
        text += "no result;";
}

std::string trace(const Session& session) {
    cl_platform_id platform = nullptr;
    clGetDeviceInfo(session.device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr);
    const TracingApi api(platform);
    if (!api.is_whole())
        return "a function is missing";
    std::string text;
    TracingHandle* handle = nullptr;
    cl_bool enabled = CL_FALSE;
    bool good = api.create(session.device, note, &text, &handle) == CL_SUCCESS &&
                api.set_point(handle, create_buffer, CL_TRUE) == CL_SUCCESS &&
                api.enable(handle) == CL_SUCCESS && api.get_state(handle, &enabled) == CL_SUCCESS &&
                enabled == CL_TRUE;
    cl_int code = CL_SUCCESS;
    const Memory memory(clCreateBuffer(session.context, CL_MEM_READ_WRITE, 64, nullptr, &code));
    good = api.disable(handle) == CL_SUCCESS && api.destroy(handle) == CL_SUCCESS && good;
    if (!good || code != CL_SUCCESS)
        return "a code is wrong";
    return same("what it sees", text, std::string("clCreateBuffer 0;clCreateBuffer 1;"));
}

constexpr std::array programs{HostProgram{"cl_intel_tracing", trace}};

} // namespace

std::span<const HostProgram> tracing_programs() {
    return programs;
}

} // namespace visor::opencl_extensions
