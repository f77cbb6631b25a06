// The table of functions that the loader calls through, and the way in.
#include "opencl/api.h"
#include "opencl/commands/functions.h"
#include "opencl/guard.h"
#include "opencl/kernel.h"

#include <array>
#include <string_view>

namespace visor::opencl {

namespace {

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

cl_int get_icd_platform_ids(cl_uint room, cl_platform_id* platforms, cl_uint* count) {
    return get_platform_ids(room, platforms, count);
}

constexpr cl_icd_dispatch table{
    .clGetPlatformIDs = guarded<get_platform_ids>,
    .clGetPlatformInfo = guarded<get_platform_info>,
    .clGetDeviceIDs = guarded<get_device_ids>,
    .clGetDeviceInfo = guarded<get_device_info>,
    .clCreateContext = guarded<create_context>,
    .clCreateContextFromType = guarded<create_context_from_type>,
    .clRetainContext = guarded<retain_context>,
    .clReleaseContext = guarded<release_context>,
    .clGetContextInfo = guarded<get_context_info>,
    .clCreateCommandQueue = guarded<create_command_queue>,
    .clRetainCommandQueue = guarded<retain_command_queue>,
    .clReleaseCommandQueue = guarded<release_command_queue>,
    .clGetCommandQueueInfo = guarded<get_command_queue_info>,
    .clSetCommandQueueProperty = guarded<set_command_queue_property>,
    .clCreateBuffer = guarded<create_buffer>,
    .clCreateImage2D = guarded<create_image2d>,
    .clCreateImage3D = guarded<create_image3d>,
    .clRetainMemObject = guarded<retain_mem_object>,
    .clReleaseMemObject = guarded<release_mem_object>,
    .clGetSupportedImageFormats = guarded<get_supported_image_formats>,
    .clGetMemObjectInfo = guarded<get_mem_object_info>,
    .clGetImageInfo = guarded<get_image_info>,
    .clCreateSampler = guarded<create_sampler>,
    .clRetainSampler = guarded<retain_sampler>,
    .clReleaseSampler = guarded<release_sampler>,
    .clGetSamplerInfo = guarded<get_sampler_info>,
    .clCreateProgramWithSource = guarded<create_program_with_source>,
    .clCreateProgramWithBinary = guarded<create_program_with_binary>,
    .clRetainProgram = guarded<retain_program>,
    .clReleaseProgram = guarded<release_program>,
    .clBuildProgram = guarded<build_program>,
    .clUnloadCompiler = guarded<unload_compiler>,
    .clGetProgramInfo = guarded<get_program_info>,
    .clGetProgramBuildInfo = guarded<get_program_build_info>,
    .clCreateKernel = guarded<create_kernel>,
    .clCreateKernelsInProgram = guarded<create_kernels_in_program>,
    .clRetainKernel = guarded<retain_kernel>,
    .clReleaseKernel = guarded<release_kernel>,
    .clSetKernelArg = guarded<set_kernel_arg>,
    .clGetKernelInfo = guarded<get_kernel_info>,
    .clGetKernelWorkGroupInfo = guarded<get_kernel_work_group_info>,
    .clWaitForEvents = guarded<wait_for_events>,
    .clGetEventInfo = guarded<get_event_info>,
    .clRetainEvent = guarded<retain_event>,
    .clReleaseEvent = guarded<release_event>,
    .clGetEventProfilingInfo = guarded<get_event_profiling_info>,
    .clFlush = guarded<flush>,
    .clFinish = guarded<finish>,
    .clEnqueueReadBuffer = guarded<enqueue_read_buffer>,
    .clEnqueueWriteBuffer = guarded<enqueue_write_buffer>,
    .clEnqueueCopyBuffer = guarded<enqueue_copy_buffer>,
    .clEnqueueReadImage = guarded<enqueue_read_image>,
    .clEnqueueWriteImage = guarded<enqueue_write_image>,
    .clEnqueueCopyImage = guarded<enqueue_copy_image>,
    .clEnqueueCopyImageToBuffer = guarded<enqueue_copy_image_to_buffer>,
    .clEnqueueCopyBufferToImage = guarded<enqueue_copy_buffer_to_image>,
    .clEnqueueMapBuffer = guarded<enqueue_map_buffer>,
    .clEnqueueMapImage = guarded<enqueue_map_image>,
    .clEnqueueUnmapMemObject = guarded<enqueue_unmap_mem_object>,
    .clEnqueueNDRangeKernel = guarded<enqueue_nd_range_kernel>,
    .clEnqueueTask = guarded<enqueue_task>,
    .clEnqueueNativeKernel = guarded<enqueue_native_kernel>,
    .clEnqueueMarker = guarded<enqueue_marker>,
    .clEnqueueWaitForEvents = guarded<enqueue_wait_for_events>,
    .clEnqueueBarrier = guarded<enqueue_barrier>,
    .clGetExtensionFunctionAddress = guarded<get_extension_function_address>,
    .clCreateFromGLBuffer = absent<cl_api_clCreateFromGLBuffer>,
    .clCreateFromGLTexture2D = absent<cl_api_clCreateFromGLTexture2D>,
    .clCreateFromGLTexture3D = absent<cl_api_clCreateFromGLTexture3D>,
    .clCreateFromGLRenderbuffer = absent<cl_api_clCreateFromGLRenderbuffer>,
    .clGetGLObjectInfo = absent<cl_api_clGetGLObjectInfo>,
    .clGetGLTextureInfo = absent<cl_api_clGetGLTextureInfo>,
    .clEnqueueAcquireGLObjects = absent<cl_api_clEnqueueAcquireGLObjects>,
    .clEnqueueReleaseGLObjects = absent<cl_api_clEnqueueReleaseGLObjects>,
    .clGetGLContextInfoKHR = absent<cl_api_clGetGLContextInfoKHR>,
    .clGetDeviceIDsFromD3D10KHR = nullptr,
    .clCreateFromD3D10BufferKHR = nullptr,
    .clCreateFromD3D10Texture2DKHR = nullptr,
    .clCreateFromD3D10Texture3DKHR = nullptr,
    .clEnqueueAcquireD3D10ObjectsKHR = nullptr,
    .clEnqueueReleaseD3D10ObjectsKHR = nullptr,
    .clSetEventCallback = guarded<set_event_callback>,
    .clCreateSubBuffer = guarded<create_sub_buffer>,
    .clSetMemObjectDestructorCallback = guarded<set_mem_object_destructor_callback>,
    .clCreateUserEvent = guarded<create_user_event>,
    .clSetUserEventStatus = guarded<set_user_event_status>,
    .clEnqueueReadBufferRect = guarded<enqueue_read_buffer_rect>,
    .clEnqueueWriteBufferRect = guarded<enqueue_write_buffer_rect>,
    .clEnqueueCopyBufferRect = guarded<enqueue_copy_buffer_rect>,
    .clCreateSubDevicesEXT = guarded<create_sub_devices_ext>,
    .clRetainDeviceEXT = guarded<retain_device>,
    .clReleaseDeviceEXT = guarded<release_device>,
    .clCreateEventFromGLsyncKHR = absent<cl_api_clCreateEventFromGLsyncKHR>,
    .clCreateSubDevices = guarded<create_sub_devices>,
    .clRetainDevice = guarded<retain_device>,
    .clReleaseDevice = guarded<release_device>,
    .clCreateImage = guarded<create_image>,
    .clCreateProgramWithBuiltInKernels = guarded<create_program_with_built_in_kernels>,
    .clCompileProgram = guarded<compile_program>,
    .clLinkProgram = guarded<link_program>,
    .clUnloadPlatformCompiler = guarded<unload_platform_compiler>,
    .clGetKernelArgInfo = guarded<get_kernel_arg_info>,
    .clEnqueueFillBuffer = guarded<enqueue_fill_buffer>,
    .clEnqueueFillImage = guarded<enqueue_fill_image>,
    .clEnqueueMigrateMemObjects = guarded<enqueue_migrate_mem_objects>,
    .clEnqueueMarkerWithWaitList = guarded<enqueue_marker_with_wait_list>,
    .clEnqueueBarrierWithWaitList = guarded<enqueue_barrier_with_wait_list>,
    .clGetExtensionFunctionAddressForPlatform = guarded<get_extension_function_address_for_platform>,
    .clCreateFromGLTexture = absent<cl_api_clCreateFromGLTexture>,
    .clGetDeviceIDsFromD3D11KHR = nullptr,
    .clCreateFromD3D11BufferKHR = nullptr,
    .clCreateFromD3D11Texture2DKHR = nullptr,
    .clCreateFromD3D11Texture3DKHR = nullptr,
    .clCreateFromDX9MediaSurfaceKHR = nullptr,
    .clEnqueueAcquireD3D11ObjectsKHR = nullptr,
    .clEnqueueReleaseD3D11ObjectsKHR = nullptr,
    .clCreateFromEGLImageKHR = absent<cl_api_clCreateFromEGLImageKHR>,
    .clEnqueueAcquireEGLObjectsKHR = absent<cl_api_clEnqueueAcquireEGLObjectsKHR>,
    .clEnqueueReleaseEGLObjectsKHR = absent<cl_api_clEnqueueReleaseEGLObjectsKHR>,
    .clCreateEventFromEGLSyncKHR = absent<cl_api_clCreateEventFromEGLSyncKHR>,
    .clCreateCommandQueueWithProperties = guarded<create_command_queue_with_properties>,
    .clCreatePipe = guarded<create_pipe>,
    .clGetPipeInfo = guarded<get_pipe_info>,
    .clSVMAlloc = guarded<svm_alloc>,
    .clSVMFree = guarded<svm_free>,
    .clEnqueueSVMFree = guarded<enqueue_svm_free>,
    .clEnqueueSVMMemcpy = guarded<enqueue_svm_memcpy>,
    .clEnqueueSVMMemFill = guarded<enqueue_svm_mem_fill>,
    .clEnqueueSVMMap = guarded<enqueue_svm_map>,
    .clEnqueueSVMUnmap = guarded<enqueue_svm_unmap>,
    .clCreateSamplerWithProperties = guarded<create_sampler_with_properties>,
    .clSetKernelArgSVMPointer = guarded<set_kernel_arg_svm_pointer>,
    .clSetKernelExecInfo = guarded<set_kernel_exec_info>,
    .clGetKernelSubGroupInfoKHR = guarded<get_kernel_sub_group_info>,
    .clCloneKernel = guarded<clone_kernel>,
    .clCreateProgramWithIL = guarded<create_program_with_il>,
    .clEnqueueSVMMigrateMem = guarded<enqueue_svm_migrate_mem>,
    .clGetDeviceAndHostTimer = guarded<get_device_and_host_timer>,
    .clGetHostTimer = guarded<get_host_timer>,
    .clGetKernelSubGroupInfo = guarded<get_kernel_sub_group_info>,
    .clSetDefaultDeviceCommandQueue = guarded<set_default_device_command_queue>,
    .clSetProgramReleaseCallback = guarded<set_program_release_callback>,
    .clSetProgramSpecializationConstant = guarded<set_program_specialization_constant>,
    .clCreateBufferWithProperties = guarded<create_buffer_with_properties>,
    .clCreateImageWithProperties = guarded<create_image_with_properties>,
    .clSetContextDestructorCallback = guarded<set_context_destructor_callback>,
};

struct Named {
    std::string_view name;
    void* function;
};

void* function_named(std::string_view name) {
    const std::array functions{
        Named{"clIcdGetPlatformIDsKHR", reinterpret_cast<void*>(guarded<get_icd_platform_ids>)},
        Named{"clGetPlatformInfo", reinterpret_cast<void*>(table.clGetPlatformInfo)},
        Named{"clGetKernelSuggestedLocalWorkSizeKHR",
              reinterpret_cast<void*>(guarded<get_kernel_suggested_local_work_size>)},
        Named{"clGetKernelSubGroupInfoKHR", reinterpret_cast<void*>(table.clGetKernelSubGroupInfoKHR)},
        Named{"clCreateProgramWithILKHR", reinterpret_cast<void*>(table.clCreateProgramWithIL)},
        Named{"clCreateCommandQueueWithPropertiesKHR",
              reinterpret_cast<void*>(table.clCreateCommandQueueWithProperties)},
        Named{"clCreateBufferWithPropertiesINTEL",
              reinterpret_cast<void*>(table.clCreateBufferWithProperties)},
        Named{"clSetKernelArgDevicePointerEXT",
              reinterpret_cast<void*>(guarded<set_kernel_arg_device_pointer>)},
        Named{"clHostMemAllocINTEL", reinterpret_cast<void*>(guarded<host_mem_alloc>)},
        Named{"clDeviceMemAllocINTEL", reinterpret_cast<void*>(guarded<device_mem_alloc>)},
        Named{"clSharedMemAllocINTEL", reinterpret_cast<void*>(guarded<shared_mem_alloc>)},
        Named{"clMemFreeINTEL", reinterpret_cast<void*>(guarded<mem_free>)},
        Named{"clMemBlockingFreeINTEL", reinterpret_cast<void*>(guarded<mem_blocking_free>)},
        Named{"clGetMemAllocInfoINTEL", reinterpret_cast<void*>(guarded<get_mem_alloc_info>)},
        Named{"clSetKernelArgMemPointerINTEL", reinterpret_cast<void*>(guarded<set_kernel_arg_mem_pointer>)},
        Named{"clEnqueueMemFillINTEL", reinterpret_cast<void*>(guarded<enqueue_mem_fill>)},
        Named{"clEnqueueMemsetINTEL", reinterpret_cast<void*>(guarded<enqueue_memset>)},
        Named{"clEnqueueMemcpyINTEL", reinterpret_cast<void*>(guarded<enqueue_memcpy>)},
        Named{"clEnqueueMigrateMemINTEL", reinterpret_cast<void*>(guarded<enqueue_migrate_mem>)},
        Named{"clEnqueueMemAdviseINTEL", reinterpret_cast<void*>(guarded<enqueue_mem_advise>)},
    };
    for (const Named& one : functions) {
        if (one.name == name)
            return one.function;
    }
    return command_buffer_function(name);
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

// What the loader looks for by name.
extern "C" {
__attribute__((visibility("default"))) cl_int clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id* platforms,
                                                                     cl_uint* count) {
    return visor::opencl::dispatch_table().clGetPlatformIDs(room, platforms, count);
}
__attribute__((visibility("default"))) void* clGetExtensionFunctionAddress(const char* name) {
    return visor::opencl::get_extension_function_address(name);
}
__attribute__((visibility("default"))) cl_int clGetPlatformInfo(cl_platform_id platform,
                                                                cl_platform_info what, size_t room,
                                                                void* value, size_t* needed) {
    return visor::opencl::dispatch_table().clGetPlatformInfo(platform, what, room, value, needed);
}
}
