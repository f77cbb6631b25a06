// The functions of cl_intel_unified_shared_memory, asked for by name as applications do.
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

namespace visor::opencl_test {

class Usm {
    cl_platform_id platform_; // before the functions, which are asked of it

    template <class Function>
    Function get(const char* name) const {
        return reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform_, name));
    }

public:
    explicit Usm(cl_platform_id platform) : platform_(platform) {}

    clHostMemAllocINTEL_fn host = get<clHostMemAllocINTEL_fn>("clHostMemAllocINTEL");
    clDeviceMemAllocINTEL_fn device = get<clDeviceMemAllocINTEL_fn>("clDeviceMemAllocINTEL");
    clSharedMemAllocINTEL_fn shared = get<clSharedMemAllocINTEL_fn>("clSharedMemAllocINTEL");
    clMemFreeINTEL_fn free = get<clMemFreeINTEL_fn>("clMemFreeINTEL");
    clMemBlockingFreeINTEL_fn blocking_free = get<clMemBlockingFreeINTEL_fn>("clMemBlockingFreeINTEL");
    clGetMemAllocInfoINTEL_fn info = get<clGetMemAllocInfoINTEL_fn>("clGetMemAllocInfoINTEL");
    clSetKernelArgMemPointerINTEL_fn set_argument =
        get<clSetKernelArgMemPointerINTEL_fn>("clSetKernelArgMemPointerINTEL");
    clEnqueueMemFillINTEL_fn fill = get<clEnqueueMemFillINTEL_fn>("clEnqueueMemFillINTEL");
    clEnqueueMemsetINTEL_fn set = get<clEnqueueMemsetINTEL_fn>("clEnqueueMemsetINTEL");
    clEnqueueMemcpyINTEL_fn copy = get<clEnqueueMemcpyINTEL_fn>("clEnqueueMemcpyINTEL");
    clEnqueueMigrateMemINTEL_fn migrate = get<clEnqueueMigrateMemINTEL_fn>("clEnqueueMigrateMemINTEL");
    clEnqueueMemAdviseINTEL_fn advise = get<clEnqueueMemAdviseINTEL_fn>("clEnqueueMemAdviseINTEL");
};

} // namespace visor::opencl_test
