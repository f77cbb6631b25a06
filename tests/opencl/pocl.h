// What tests and benchmarks need of the OpenCL API to ask PoCL: handles that release themselves, and its
// device.
#pragma once

#include <CL/cl.h>
#include <array>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>

namespace visor::test::opencl {

template <auto release>
struct Releaser {
    template <class T>
    void operator()(T* object) const {
        release(object);
    }
};
using Context = std::unique_ptr<std::remove_pointer_t<cl_context>, Releaser<clReleaseContext>>;
using Queue = std::unique_ptr<std::remove_pointer_t<cl_command_queue>, Releaser<clReleaseCommandQueue>>;
using Program = std::unique_ptr<std::remove_pointer_t<cl_program>, Releaser<clReleaseProgram>>;
using Kernel = std::unique_ptr<std::remove_pointer_t<cl_kernel>, Releaser<clReleaseKernel>>;
using Memory = std::unique_ptr<std::remove_pointer_t<cl_mem>, Releaser<clReleaseMemObject>>;
using Sampler = std::unique_ptr<std::remove_pointer_t<cl_sampler>, Releaser<clReleaseSampler>>;

// Of the platform whose name begins so, the first; absent: the loader has no such platform.
inline std::optional<cl_device_id> device_of(std::string_view platform_name) {
    std::array<cl_platform_id, 16> platforms{};
    cl_uint count = 0;
    if (clGetPlatformIDs(platforms.size(), platforms.data(), &count) != CL_SUCCESS)
        return std::nullopt;
    for (cl_uint i = 0; i < count && i < platforms.size(); ++i) {
        std::array<char, 256> name{};
        cl_device_id device = nullptr;
        if (clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, name.size(), name.data(), nullptr) ==
                CL_SUCCESS &&
            std::string_view(name.data()).starts_with(platform_name) &&
            clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, nullptr) == CL_SUCCESS)
            return device;
    }
    return std::nullopt;
}

// Absent: PoCL is not there. Call it before any other use of the API: no other platform is loaded then,
// unless OCL_ICD_VENDORS says so, and PoCL takes one thread.
inline std::optional<cl_device_id> pocl_device() {
    setenv("OCL_ICD_VENDORS", "pocl.icd", 0);
    setenv("POCL_MAX_PTHREAD_COUNT", "1", 0);
    return device_of("Portable Computing Language");
}

} // namespace visor::test::opencl
