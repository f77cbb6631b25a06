// The functions of cl_khr_command_buffer, asked for by name as applications do. Types stand here, since
// headers have those of one version: up to 0.9.4 the functions that record have no list of properties.
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

namespace visor::opencl_test {

using Properties = const cl_properties*;

template <class... Own>
using Record = cl_int(CL_API_CALL*)(cl_command_buffer_khr, cl_command_queue, Own..., cl_uint,
                                    const cl_sync_point_khr*, cl_sync_point_khr*, cl_mutable_command_khr*);

class CommandBufferApi {
    cl_platform_id platform_; // before the functions, which are asked of it

    template <class Function>
    Function get(const char* name) const {
        return reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform_, name));
    }

public:
    explicit CommandBufferApi(cl_platform_id platform) : platform_(platform) {}

    clCreateCommandBufferKHR_fn create = get<clCreateCommandBufferKHR_fn>("clCreateCommandBufferKHR");
    clRetainCommandBufferKHR_fn retain = get<clRetainCommandBufferKHR_fn>("clRetainCommandBufferKHR");
    clReleaseCommandBufferKHR_fn release = get<clReleaseCommandBufferKHR_fn>("clReleaseCommandBufferKHR");
    clFinalizeCommandBufferKHR_fn finalize = get<clFinalizeCommandBufferKHR_fn>("clFinalizeCommandBufferKHR");
    clEnqueueCommandBufferKHR_fn enqueue = get<clEnqueueCommandBufferKHR_fn>("clEnqueueCommandBufferKHR");
    clGetCommandBufferInfoKHR_fn info = get<clGetCommandBufferInfoKHR_fn>("clGetCommandBufferInfoKHR");

    // ---- as of 0.9.5

    using Kernel = Record<Properties, cl_kernel, cl_uint, const size_t*, const size_t*, const size_t*>;
    Kernel kernel = get<Kernel>("clCommandNDRangeKernelKHR"); // never had another type
    using Barrier = Record<Properties>;
    Barrier barrier = get<Barrier>("clCommandBarrierWithWaitListKHR");
    using Copy = Record<Properties, cl_mem, cl_mem, size_t, size_t, size_t>;
    Copy copy = get<Copy>("clCommandCopyBufferKHR");
    using CopyRect = Record<Properties, cl_mem, cl_mem, const size_t*, const size_t*, const size_t*, size_t,
                            size_t, size_t, size_t>;
    CopyRect copy_rect = get<CopyRect>("clCommandCopyBufferRectKHR");
    using ToImage = Record<Properties, cl_mem, cl_mem, size_t, const size_t*, const size_t*>;
    ToImage to_image = get<ToImage>("clCommandCopyBufferToImageKHR");
    using CopyImage = Record<Properties, cl_mem, cl_mem, const size_t*, const size_t*, const size_t*>;
    CopyImage copy_image = get<CopyImage>("clCommandCopyImageKHR");
    using FromImage = Record<Properties, cl_mem, cl_mem, const size_t*, const size_t*, size_t>;
    FromImage from_image = get<FromImage>("clCommandCopyImageToBufferKHR");
    using Fill = Record<Properties, cl_mem, const void*, size_t, size_t, size_t>;
    Fill fill = get<Fill>("clCommandFillBufferKHR");
    using FillImage = Record<Properties, cl_mem, const void*, const size_t*, const size_t*>;
    FillImage fill_image = get<FillImage>("clCommandFillImageKHR");
    using SvmCopy = Record<Properties, void*, const void*, size_t>;
    SvmCopy svm_copy = get<SvmCopy>("clCommandSVMMemcpyKHR");
    using SvmFill = Record<Properties, void*, const void*, size_t, size_t>;
    SvmFill svm_fill = get<SvmFill>("clCommandSVMMemFillKHR");

    // ---- before

    using OldBarrier = Record<>;
    OldBarrier old_barrier = get<OldBarrier>("clCommandBarrierWithWaitListKHR");
    using OldCopy = Record<cl_mem, cl_mem, size_t, size_t, size_t>;
    OldCopy old_copy = get<OldCopy>("clCommandCopyBufferKHR");
    using OldCopyRect =
        Record<cl_mem, cl_mem, const size_t*, const size_t*, const size_t*, size_t, size_t, size_t, size_t>;
    OldCopyRect old_copy_rect = get<OldCopyRect>("clCommandCopyBufferRectKHR");
    using OldToImage = Record<cl_mem, cl_mem, size_t, const size_t*, const size_t*>;
    OldToImage old_to_image = get<OldToImage>("clCommandCopyBufferToImageKHR");
    using OldCopyImage = Record<cl_mem, cl_mem, const size_t*, const size_t*, const size_t*>;
    OldCopyImage old_copy_image = get<OldCopyImage>("clCommandCopyImageKHR");
    using OldFromImage = Record<cl_mem, cl_mem, const size_t*, const size_t*, size_t>;
    OldFromImage old_from_image = get<OldFromImage>("clCommandCopyImageToBufferKHR");
    using OldFill = Record<cl_mem, const void*, size_t, size_t, size_t>;
    OldFill old_fill = get<OldFill>("clCommandFillBufferKHR");
    using OldFillImage = Record<cl_mem, const void*, const size_t*, const size_t*>;
    OldFillImage old_fill_image = get<OldFillImage>("clCommandFillImageKHR");
    using OldSvmCopy = Record<void*, const void*, size_t>;
    OldSvmCopy old_svm_copy = get<OldSvmCopy>("clCommandSVMMemcpyKHR");
    using OldSvmFill = Record<void*, const void*, size_t, size_t>;
    OldSvmFill old_svm_fill = get<OldSvmFill>("clCommandSVMMemFillKHR");
};

} // namespace visor::opencl_test
