// What tests need of the OpenCL API to ask PoCL: handles that release themselves, and its device.
#pragma once

#include <CL/cl.h>
#include <cstdlib>
#include <memory>
#include <optional>
#include <type_traits>

namespace visor::test::opencl {

template <auto Release>
struct Releaser {
    template <class T>
    void operator()(T* object) const {
        Release(object);
    }
};
using Context = std::unique_ptr<std::remove_pointer_t<cl_context>, Releaser<clReleaseContext>>;
using Queue = std::unique_ptr<std::remove_pointer_t<cl_command_queue>, Releaser<clReleaseCommandQueue>>;
using Program = std::unique_ptr<std::remove_pointer_t<cl_program>, Releaser<clReleaseProgram>>;
using Kernel = std::unique_ptr<std::remove_pointer_t<cl_kernel>, Releaser<clReleaseKernel>>;
using Memory = std::unique_ptr<std::remove_pointer_t<cl_mem>, Releaser<clReleaseMemObject>>;
using Sampler = std::unique_ptr<std::remove_pointer_t<cl_sampler>, Releaser<clReleaseSampler>>;

// Absent: PoCL is not there. Call it before any other use of the API: no other platform is loaded then, and
// PoCL takes one thread.
inline std::optional<cl_device_id> pocl_device() {
    setenv("OCL_ICD_VENDORS", "pocl.icd", 0);
    setenv("POCL_MAX_PTHREAD_COUNT", "1", 0);
    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
    if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, nullptr) != CL_SUCCESS)
        return std::nullopt;
    return device;
}

} // namespace visor::test::opencl
