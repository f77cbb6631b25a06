// The dispatch table of the loader, and the library's entry points.
#include "opencl/api.h"
#include "opencl/commands/functions.h"
#include "opencl/guard.h"
#include "opencl/kernel.h"
#include "opencl/tracing/api.h"

#include <array>
#include <string_view>

namespace visor::opencl {

namespace {

using tracing::function_names;
using tracing::FunctionId;
using tracing::id_of;

// Sharing with other interfaces is not offered.
template <class Pointer>
struct Absent;
template <class Result, class... Parameters>
struct Absent<Result (*)(Parameters...)> {
    static Result call(Parameters... parameters) {
        return refuse<Result>(CL_INVALID_OPERATION, parameters...);
    }
};
template <class Pointer>
constexpr auto absent = &Absent<Pointer>::call;

cl_int get_icd_platform_ids(cl_uint num_entries, cl_platform_id* platforms, cl_uint* count) {
    return get_platform_ids(num_entries, platforms, count);
}

constexpr cl_icd_dispatch table{
    .clGetPlatformIDs = guarded<get_platform_ids, id_of("clGetPlatformIDs")>,
    .clGetPlatformInfo = guarded<get_platform_info, id_of("clGetPlatformInfo")>,
    .clGetDeviceIDs = guarded<get_device_ids, id_of("clGetDeviceIDs")>,
    .clGetDeviceInfo = guarded<get_device_info, id_of("clGetDeviceInfo")>,
    .clCreateContext = guarded<create_context, id_of("clCreateContext")>,
    .clCreateContextFromType = guarded<create_context_from_type, id_of("clCreateContextFromType")>,
    .clRetainContext = guarded<retain_context, id_of("clRetainContext")>,
    .clReleaseContext = guarded<release_context, id_of("clReleaseContext")>,
    .clGetContextInfo = guarded<get_context_info, id_of("clGetContextInfo")>,
    .clCreateCommandQueue = guarded<create_command_queue, id_of("clCreateCommandQueue")>,
    .clRetainCommandQueue = guarded<retain_command_queue, id_of("clRetainCommandQueue")>,
    .clReleaseCommandQueue = guarded<release_command_queue, id_of("clReleaseCommandQueue")>,
    .clGetCommandQueueInfo = guarded<get_command_queue_info, id_of("clGetCommandQueueInfo")>,
    .clSetCommandQueueProperty = guarded<set_command_queue_property, id_of("clSetCommandQueueProperty")>,
    .clCreateBuffer = guarded<create_buffer, id_of("clCreateBuffer")>,
    .clCreateImage2D = guarded<create_image2d, id_of("clCreateImage2D")>,
    .clCreateImage3D = guarded<create_image3d, id_of("clCreateImage3D")>,
    .clRetainMemObject = guarded<retain_mem_object, id_of("clRetainMemObject")>,
    .clReleaseMemObject = guarded<release_mem_object, id_of("clReleaseMemObject")>,
    .clGetSupportedImageFormats = guarded<get_supported_image_formats, id_of("clGetSupportedImageFormats")>,
    .clGetMemObjectInfo = guarded<get_mem_object_info, id_of("clGetMemObjectInfo")>,
    .clGetImageInfo = guarded<get_image_info, id_of("clGetImageInfo")>,
    .clCreateSampler = guarded<create_sampler, id_of("clCreateSampler")>,
    .clRetainSampler = guarded<retain_sampler, id_of("clRetainSampler")>,
    .clReleaseSampler = guarded<release_sampler, id_of("clReleaseSampler")>,
    .clGetSamplerInfo = guarded<get_sampler_info, id_of("clGetSamplerInfo")>,
    .clCreateProgramWithSource = guarded<create_program_with_source, id_of("clCreateProgramWithSource")>,
    .clCreateProgramWithBinary = guarded<create_program_with_binary, id_of("clCreateProgramWithBinary")>,
    .clRetainProgram = guarded<retain_program, id_of("clRetainProgram")>,
    .clReleaseProgram = guarded<release_program, id_of("clReleaseProgram")>,
    .clBuildProgram = guarded<build_program, id_of("clBuildProgram")>,
    .clUnloadCompiler = guarded<unload_compiler, id_of("clUnloadCompiler")>,
    .clGetProgramInfo = guarded<get_program_info, id_of("clGetProgramInfo")>,
    .clGetProgramBuildInfo = guarded<get_program_build_info, id_of("clGetProgramBuildInfo")>,
    .clCreateKernel = guarded<create_kernel, id_of("clCreateKernel")>,
    .clCreateKernelsInProgram = guarded<create_kernels_in_program, id_of("clCreateKernelsInProgram")>,
    .clRetainKernel = guarded<retain_kernel, id_of("clRetainKernel")>,
    .clReleaseKernel = guarded<release_kernel, id_of("clReleaseKernel")>,
    .clSetKernelArg = guarded<set_kernel_arg, id_of("clSetKernelArg")>,
    .clGetKernelInfo = guarded<get_kernel_info, id_of("clGetKernelInfo")>,
    .clGetKernelWorkGroupInfo = guarded<get_kernel_work_group_info, id_of("clGetKernelWorkGroupInfo")>,
    .clWaitForEvents = guarded<wait_for_events, id_of("clWaitForEvents")>,
    .clGetEventInfo = guarded<get_event_info, id_of("clGetEventInfo")>,
    .clRetainEvent = guarded<retain_event, id_of("clRetainEvent")>,
    .clReleaseEvent = guarded<release_event, id_of("clReleaseEvent")>,
    .clGetEventProfilingInfo = guarded<get_event_profiling_info, id_of("clGetEventProfilingInfo")>,
    .clFlush = guarded<flush, id_of("clFlush")>,
    .clFinish = guarded<finish, id_of("clFinish")>,
    .clEnqueueReadBuffer = guarded<enqueue_read_buffer, id_of("clEnqueueReadBuffer")>,
    .clEnqueueWriteBuffer = guarded<enqueue_write_buffer, id_of("clEnqueueWriteBuffer")>,
    .clEnqueueCopyBuffer = guarded<enqueue_copy_buffer, id_of("clEnqueueCopyBuffer")>,
    .clEnqueueReadImage = guarded<enqueue_read_image, id_of("clEnqueueReadImage")>,
    .clEnqueueWriteImage = guarded<enqueue_write_image, id_of("clEnqueueWriteImage")>,
    .clEnqueueCopyImage = guarded<enqueue_copy_image, id_of("clEnqueueCopyImage")>,
    .clEnqueueCopyImageToBuffer = guarded<enqueue_copy_image_to_buffer, id_of("clEnqueueCopyImageToBuffer")>,
    .clEnqueueCopyBufferToImage = guarded<enqueue_copy_buffer_to_image, id_of("clEnqueueCopyBufferToImage")>,
    .clEnqueueMapBuffer = guarded<enqueue_map_buffer, id_of("clEnqueueMapBuffer")>,
    .clEnqueueMapImage = guarded<enqueue_map_image, id_of("clEnqueueMapImage")>,
    .clEnqueueUnmapMemObject = guarded<enqueue_unmap_mem_object, id_of("clEnqueueUnmapMemObject")>,
    .clEnqueueNDRangeKernel = guarded<enqueue_nd_range_kernel, id_of("clEnqueueNDRangeKernel")>,
    .clEnqueueTask = guarded<enqueue_task, id_of("clEnqueueTask")>,
    .clEnqueueNativeKernel = guarded<enqueue_native_kernel, id_of("clEnqueueNativeKernel")>,
    .clEnqueueMarker = guarded<enqueue_marker, id_of("clEnqueueMarker")>,
    .clEnqueueWaitForEvents = guarded<enqueue_wait_for_events, id_of("clEnqueueWaitForEvents")>,
    .clEnqueueBarrier = guarded<enqueue_barrier, id_of("clEnqueueBarrier")>,
    .clGetExtensionFunctionAddress =
        guarded<get_extension_function_address, id_of("clGetExtensionFunctionAddress")>,
    .clCreateFromGLBuffer = absent<decltype(_cl_icd_dispatch::clCreateFromGLBuffer)>,
    .clCreateFromGLTexture2D = absent<decltype(_cl_icd_dispatch::clCreateFromGLTexture2D)>,
    .clCreateFromGLTexture3D = absent<decltype(_cl_icd_dispatch::clCreateFromGLTexture3D)>,
    .clCreateFromGLRenderbuffer = absent<decltype(_cl_icd_dispatch::clCreateFromGLRenderbuffer)>,
    .clGetGLObjectInfo = absent<decltype(_cl_icd_dispatch::clGetGLObjectInfo)>,
    .clGetGLTextureInfo = absent<decltype(_cl_icd_dispatch::clGetGLTextureInfo)>,
    .clEnqueueAcquireGLObjects = absent<decltype(_cl_icd_dispatch::clEnqueueAcquireGLObjects)>,
    .clEnqueueReleaseGLObjects = absent<decltype(_cl_icd_dispatch::clEnqueueReleaseGLObjects)>,
    .clGetGLContextInfoKHR = absent<decltype(_cl_icd_dispatch::clGetGLContextInfoKHR)>,
    .clGetDeviceIDsFromD3D10KHR = nullptr,
    .clCreateFromD3D10BufferKHR = nullptr,
    .clCreateFromD3D10Texture2DKHR = nullptr,
    .clCreateFromD3D10Texture3DKHR = nullptr,
    .clEnqueueAcquireD3D10ObjectsKHR = nullptr,
    .clEnqueueReleaseD3D10ObjectsKHR = nullptr,
    .clSetEventCallback = guarded<set_event_callback, id_of("clSetEventCallback")>,
    .clCreateSubBuffer = guarded<create_sub_buffer, id_of("clCreateSubBuffer")>,
    .clSetMemObjectDestructorCallback =
        guarded<set_mem_object_destructor_callback, id_of("clSetMemObjectDestructorCallback")>,
    .clCreateUserEvent = guarded<create_user_event, id_of("clCreateUserEvent")>,
    .clSetUserEventStatus = guarded<set_user_event_status, id_of("clSetUserEventStatus")>,
    .clEnqueueReadBufferRect = guarded<enqueue_read_buffer_rect, id_of("clEnqueueReadBufferRect")>,
    .clEnqueueWriteBufferRect = guarded<enqueue_write_buffer_rect, id_of("clEnqueueWriteBufferRect")>,
    .clEnqueueCopyBufferRect = guarded<enqueue_copy_buffer_rect, id_of("clEnqueueCopyBufferRect")>,
    .clCreateSubDevicesEXT = guarded<create_sub_devices_ext>,
    .clRetainDeviceEXT = guarded<retain_device>,
    .clReleaseDeviceEXT = guarded<release_device>,
    .clCreateEventFromGLsyncKHR = absent<decltype(_cl_icd_dispatch::clCreateEventFromGLsyncKHR)>,
    .clCreateSubDevices = guarded<create_sub_devices, id_of("clCreateSubDevices")>,
    .clRetainDevice = guarded<retain_device, id_of("clRetainDevice")>,
    .clReleaseDevice = guarded<release_device, id_of("clReleaseDevice")>,
    .clCreateImage = guarded<create_image, id_of("clCreateImage")>,
    .clCreateProgramWithBuiltInKernels =
        guarded<create_program_with_built_in_kernels, id_of("clCreateProgramWithBuiltInKernels")>,
    .clCompileProgram = guarded<compile_program, id_of("clCompileProgram")>,
    .clLinkProgram = guarded<link_program, id_of("clLinkProgram")>,
    .clUnloadPlatformCompiler = guarded<unload_platform_compiler, id_of("clUnloadPlatformCompiler")>,
    .clGetKernelArgInfo = guarded<get_kernel_arg_info, id_of("clGetKernelArgInfo")>,
    .clEnqueueFillBuffer = guarded<enqueue_fill_buffer, id_of("clEnqueueFillBuffer")>,
    .clEnqueueFillImage = guarded<enqueue_fill_image, id_of("clEnqueueFillImage")>,
    .clEnqueueMigrateMemObjects = guarded<enqueue_migrate_mem_objects, id_of("clEnqueueMigrateMemObjects")>,
    .clEnqueueMarkerWithWaitList =
        guarded<enqueue_marker_with_wait_list, id_of("clEnqueueMarkerWithWaitList")>,
    .clEnqueueBarrierWithWaitList =
        guarded<enqueue_barrier_with_wait_list, id_of("clEnqueueBarrierWithWaitList")>,
    .clGetExtensionFunctionAddressForPlatform = guarded<get_extension_function_address_for_platform,
                                                        id_of("clGetExtensionFunctionAddressForPlatform")>,
    .clCreateFromGLTexture = absent<decltype(_cl_icd_dispatch::clCreateFromGLTexture)>,
    .clGetDeviceIDsFromD3D11KHR = nullptr,
    .clCreateFromD3D11BufferKHR = nullptr,
    .clCreateFromD3D11Texture2DKHR = nullptr,
    .clCreateFromD3D11Texture3DKHR = nullptr,
    .clCreateFromDX9MediaSurfaceKHR = nullptr,
    .clEnqueueAcquireD3D11ObjectsKHR = nullptr,
    .clEnqueueReleaseD3D11ObjectsKHR = nullptr,
    .clCreateFromEGLImageKHR = absent<decltype(_cl_icd_dispatch::clCreateFromEGLImageKHR)>,
    .clEnqueueAcquireEGLObjectsKHR = absent<decltype(_cl_icd_dispatch::clEnqueueAcquireEGLObjectsKHR)>,
    .clEnqueueReleaseEGLObjectsKHR = absent<decltype(_cl_icd_dispatch::clEnqueueReleaseEGLObjectsKHR)>,
    .clCreateEventFromEGLSyncKHR = absent<decltype(_cl_icd_dispatch::clCreateEventFromEGLSyncKHR)>,
    .clCreateCommandQueueWithProperties =
        guarded<create_command_queue_with_properties, id_of("clCreateCommandQueueWithProperties")>,
    .clCreatePipe = guarded<create_pipe, id_of("clCreatePipe")>,
    .clGetPipeInfo = guarded<get_pipe_info, id_of("clGetPipeInfo")>,
    .clSVMAlloc = guarded<svm_alloc, id_of("clSVMAlloc")>,
    .clSVMFree = guarded<svm_free, id_of("clSVMFree")>,
    .clEnqueueSVMFree = guarded<enqueue_svm_free, id_of("clEnqueueSVMFree")>,
    .clEnqueueSVMMemcpy = guarded<enqueue_svm_memcpy, id_of("clEnqueueSVMMemcpy")>,
    .clEnqueueSVMMemFill = guarded<enqueue_svm_mem_fill, id_of("clEnqueueSVMMemFill")>,
    .clEnqueueSVMMap = guarded<enqueue_svm_map, id_of("clEnqueueSVMMap")>,
    .clEnqueueSVMUnmap = guarded<enqueue_svm_unmap, id_of("clEnqueueSVMUnmap")>,
    .clCreateSamplerWithProperties =
        guarded<create_sampler_with_properties, id_of("clCreateSamplerWithProperties")>,
    .clSetKernelArgSVMPointer = guarded<set_kernel_arg_svm_pointer, id_of("clSetKernelArgSVMPointer")>,
    .clSetKernelExecInfo = guarded<set_kernel_exec_info, id_of("clSetKernelExecInfo")>,
    .clGetKernelSubGroupInfoKHR = guarded<get_kernel_sub_group_info, id_of("clGetKernelSubGroupInfoKHR")>,
    .clCloneKernel = guarded<clone_kernel, id_of("clCloneKernel")>,
    .clCreateProgramWithIL = guarded<create_program_with_il, id_of("clCreateProgramWithIL")>,
    .clEnqueueSVMMigrateMem = guarded<enqueue_svm_migrate_mem, id_of("clEnqueueSVMMigrateMem")>,
    .clGetDeviceAndHostTimer = guarded<get_device_and_host_timer, id_of("clGetDeviceAndHostTimer")>,
    .clGetHostTimer = guarded<get_host_timer, id_of("clGetHostTimer")>,
    .clGetKernelSubGroupInfo = guarded<get_kernel_sub_group_info, id_of("clGetKernelSubGroupInfo")>,
    .clSetDefaultDeviceCommandQueue =
        guarded<set_default_device_command_queue, id_of("clSetDefaultDeviceCommandQueue")>,
    .clSetProgramReleaseCallback =
        guarded<set_program_release_callback, id_of("clSetProgramReleaseCallback")>,
    .clSetProgramSpecializationConstant =
        guarded<set_program_specialization_constant, id_of("clSetProgramSpecializationConstant")>,
    .clCreateBufferWithProperties =
        guarded<create_buffer_with_properties, id_of("clCreateBufferWithProperties")>,
    .clCreateImageWithProperties =
        guarded<create_image_with_properties, id_of("clCreateImageWithProperties")>,
    .clSetContextDestructorCallback =
        guarded<set_context_destructor_callback, id_of("clSetContextDestructorCallback")>,
};

struct Named {
    std::string_view name;
    void* function;
};

// Guards a function with its tracing id.
template <auto function, FunctionId id>
Named known() {
    return {function_names[id], reinterpret_cast<void*>(guarded<function, id>)};
}

void* function_named(std::string_view name) {
    const std::array functions{
        known<get_icd_platform_ids, id_of("clIcdGetPlatformIDsKHR")>(),
        known<get_platform_info, id_of("clGetPlatformInfo")>(),
        known<get_kernel_suggested_local_work_size, id_of("clGetKernelSuggestedLocalWorkSizeKHR")>(),
        known<get_kernel_sub_group_info, id_of("clGetKernelSubGroupInfoKHR")>(),
        known<create_program_with_il, id_of("clCreateProgramWithILKHR")>(),
        known<create_command_queue_with_properties, id_of("clCreateCommandQueueWithPropertiesKHR")>(),
        known<create_buffer_with_properties, id_of("clCreateBufferWithPropertiesINTEL")>(),
        Named{"clSetKernelArgDevicePointerEXT",
              reinterpret_cast<void*>(guarded<set_kernel_arg_device_pointer>)},
        known<host_mem_alloc, id_of("clHostMemAllocINTEL")>(),
        known<device_mem_alloc, id_of("clDeviceMemAllocINTEL")>(),
        known<shared_mem_alloc, id_of("clSharedMemAllocINTEL")>(),
        known<mem_free, id_of("clMemFreeINTEL")>(),
        known<mem_blocking_free, id_of("clMemBlockingFreeINTEL")>(),
        known<get_mem_alloc_info, id_of("clGetMemAllocInfoINTEL")>(),
        known<set_kernel_arg_mem_pointer, id_of("clSetKernelArgMemPointerINTEL")>(),
        known<enqueue_mem_fill, id_of("clEnqueueMemFillINTEL")>(),
        known<enqueue_memset, id_of("clEnqueueMemsetINTEL")>(),
        known<enqueue_memcpy, id_of("clEnqueueMemcpyINTEL")>(),
        known<enqueue_migrate_mem, id_of("clEnqueueMigrateMemINTEL")>(),
        known<enqueue_mem_advise, id_of("clEnqueueMemAdviseINTEL")>(),
    };
    for (const Named& one : functions) {
        if (one.name == name)
            return one.function;
    }
    void* const of_command_buffers = command_buffer_function(name);
    return of_command_buffers != nullptr ? of_command_buffers : tracing_function(name);
}

} // namespace

const cl_icd_dispatch& dispatch_table() {
    return table;
}

void* get_extension_function_address(const char* name) {
    return name == nullptr ? nullptr : function_named(name);
}

void* get_extension_function_address_for_platform(cl_platform_id platform, const char* name) {
    return is_valid(platform) ? get_extension_function_address(name) : nullptr;
}

} // namespace visor::opencl

// Symbols that the loader looks up by name.
extern "C" {
__attribute__((visibility("default"))) cl_int clIcdGetPlatformIDsKHR(cl_uint num_entries,
                                                                     cl_platform_id* platforms,
                                                                     cl_uint* count) {
    return visor::opencl::guarded<visor::opencl::get_icd_platform_ids,
                                  visor::opencl::tracing::id_of("clIcdGetPlatformIDsKHR")>(num_entries,
                                                                                           platforms, count);
}
__attribute__((visibility("default"))) void* clGetExtensionFunctionAddress(const char* name) {
    return visor::opencl::dispatch_table().clGetExtensionFunctionAddress(name);
}
__attribute__((visibility("default"))) cl_int clGetPlatformInfo(cl_platform_id platform,
                                                                cl_platform_info what,
                                                                size_t param_value_size, void* value,
                                                                size_t* needed) {
    return visor::opencl::dispatch_table().clGetPlatformInfo(platform, what, param_value_size, value, needed);
}
}
