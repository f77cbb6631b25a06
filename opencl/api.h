// The API's functions under this library's names, with the types of the loader's dispatch table. Parameters
// are named in the definitions; a function is in the file of its object family.
#pragma once

#include "opencl/headers.h"

#include <type_traits>

namespace visor::opencl {

template <class Pointer>
using Api = std::remove_pointer_t<Pointer>;

Api<decltype(_cl_icd_dispatch::clGetPlatformIDs)> get_platform_ids;
Api<decltype(_cl_icd_dispatch::clGetPlatformInfo)> get_platform_info;
Api<decltype(_cl_icd_dispatch::clGetDeviceIDs)> get_device_ids;
Api<decltype(_cl_icd_dispatch::clGetDeviceInfo)> get_device_info;
Api<decltype(_cl_icd_dispatch::clCreateContext)> create_context;
Api<decltype(_cl_icd_dispatch::clCreateContextFromType)> create_context_from_type;
Api<decltype(_cl_icd_dispatch::clRetainContext)> retain_context;
Api<decltype(_cl_icd_dispatch::clReleaseContext)> release_context;
Api<decltype(_cl_icd_dispatch::clGetContextInfo)> get_context_info;
Api<decltype(_cl_icd_dispatch::clCreateCommandQueue)> create_command_queue;
Api<decltype(_cl_icd_dispatch::clRetainCommandQueue)> retain_command_queue;
Api<decltype(_cl_icd_dispatch::clReleaseCommandQueue)> release_command_queue;
Api<decltype(_cl_icd_dispatch::clGetCommandQueueInfo)> get_command_queue_info;
Api<decltype(_cl_icd_dispatch::clSetCommandQueueProperty)> set_command_queue_property;
Api<decltype(_cl_icd_dispatch::clCreateBuffer)> create_buffer;
Api<decltype(_cl_icd_dispatch::clCreateImage2D)> create_image2d;
Api<decltype(_cl_icd_dispatch::clCreateImage3D)> create_image3d;
Api<decltype(_cl_icd_dispatch::clRetainMemObject)> retain_mem_object;
Api<decltype(_cl_icd_dispatch::clReleaseMemObject)> release_mem_object;
Api<decltype(_cl_icd_dispatch::clGetSupportedImageFormats)> get_supported_image_formats;
Api<decltype(_cl_icd_dispatch::clGetMemObjectInfo)> get_mem_object_info;
Api<decltype(_cl_icd_dispatch::clGetImageInfo)> get_image_info;
Api<decltype(_cl_icd_dispatch::clCreateSampler)> create_sampler;
Api<decltype(_cl_icd_dispatch::clRetainSampler)> retain_sampler;
Api<decltype(_cl_icd_dispatch::clReleaseSampler)> release_sampler;
Api<decltype(_cl_icd_dispatch::clGetSamplerInfo)> get_sampler_info;
Api<decltype(_cl_icd_dispatch::clCreateProgramWithSource)> create_program_with_source;
Api<decltype(_cl_icd_dispatch::clCreateProgramWithBinary)> create_program_with_binary;
Api<decltype(_cl_icd_dispatch::clRetainProgram)> retain_program;
Api<decltype(_cl_icd_dispatch::clReleaseProgram)> release_program;
Api<decltype(_cl_icd_dispatch::clBuildProgram)> build_program;
Api<decltype(_cl_icd_dispatch::clUnloadCompiler)> unload_compiler;
Api<decltype(_cl_icd_dispatch::clGetProgramInfo)> get_program_info;
Api<decltype(_cl_icd_dispatch::clGetProgramBuildInfo)> get_program_build_info;
Api<decltype(_cl_icd_dispatch::clCreateKernel)> create_kernel;
Api<decltype(_cl_icd_dispatch::clCreateKernelsInProgram)> create_kernels_in_program;
Api<decltype(_cl_icd_dispatch::clRetainKernel)> retain_kernel;
Api<decltype(_cl_icd_dispatch::clReleaseKernel)> release_kernel;
Api<decltype(_cl_icd_dispatch::clSetKernelArg)> set_kernel_arg;
Api<decltype(_cl_icd_dispatch::clGetKernelInfo)> get_kernel_info;
Api<decltype(_cl_icd_dispatch::clGetKernelWorkGroupInfo)> get_kernel_work_group_info;
Api<decltype(_cl_icd_dispatch::clWaitForEvents)> wait_for_events;
Api<decltype(_cl_icd_dispatch::clGetEventInfo)> get_event_info;
Api<decltype(_cl_icd_dispatch::clRetainEvent)> retain_event;
Api<decltype(_cl_icd_dispatch::clReleaseEvent)> release_event;
Api<decltype(_cl_icd_dispatch::clGetEventProfilingInfo)> get_event_profiling_info;
Api<decltype(_cl_icd_dispatch::clFlush)> flush;
Api<decltype(_cl_icd_dispatch::clFinish)> finish;
Api<decltype(_cl_icd_dispatch::clEnqueueReadBuffer)> enqueue_read_buffer;
Api<decltype(_cl_icd_dispatch::clEnqueueWriteBuffer)> enqueue_write_buffer;
Api<decltype(_cl_icd_dispatch::clEnqueueCopyBuffer)> enqueue_copy_buffer;
Api<decltype(_cl_icd_dispatch::clEnqueueReadImage)> enqueue_read_image;
Api<decltype(_cl_icd_dispatch::clEnqueueWriteImage)> enqueue_write_image;
Api<decltype(_cl_icd_dispatch::clEnqueueCopyImage)> enqueue_copy_image;
Api<decltype(_cl_icd_dispatch::clEnqueueCopyImageToBuffer)> enqueue_copy_image_to_buffer;
Api<decltype(_cl_icd_dispatch::clEnqueueCopyBufferToImage)> enqueue_copy_buffer_to_image;
Api<decltype(_cl_icd_dispatch::clEnqueueMapBuffer)> enqueue_map_buffer;
Api<decltype(_cl_icd_dispatch::clEnqueueMapImage)> enqueue_map_image;
Api<decltype(_cl_icd_dispatch::clEnqueueUnmapMemObject)> enqueue_unmap_mem_object;
Api<decltype(_cl_icd_dispatch::clEnqueueNDRangeKernel)> enqueue_nd_range_kernel;
Api<decltype(_cl_icd_dispatch::clEnqueueTask)> enqueue_task;
Api<decltype(_cl_icd_dispatch::clEnqueueNativeKernel)> enqueue_native_kernel;
Api<decltype(_cl_icd_dispatch::clEnqueueMarker)> enqueue_marker;
Api<decltype(_cl_icd_dispatch::clEnqueueWaitForEvents)> enqueue_wait_for_events;
Api<decltype(_cl_icd_dispatch::clEnqueueBarrier)> enqueue_barrier;
Api<decltype(_cl_icd_dispatch::clGetExtensionFunctionAddress)> get_extension_function_address;
Api<decltype(_cl_icd_dispatch::clSetEventCallback)> set_event_callback;
Api<decltype(_cl_icd_dispatch::clCreateSubBuffer)> create_sub_buffer;
Api<decltype(_cl_icd_dispatch::clSetMemObjectDestructorCallback)> set_mem_object_destructor_callback;
Api<decltype(_cl_icd_dispatch::clCreateUserEvent)> create_user_event;
Api<decltype(_cl_icd_dispatch::clSetUserEventStatus)> set_user_event_status;
Api<decltype(_cl_icd_dispatch::clEnqueueReadBufferRect)> enqueue_read_buffer_rect;
Api<decltype(_cl_icd_dispatch::clEnqueueWriteBufferRect)> enqueue_write_buffer_rect;
Api<decltype(_cl_icd_dispatch::clEnqueueCopyBufferRect)> enqueue_copy_buffer_rect;
Api<decltype(_cl_icd_dispatch::clCreateSubDevices)> create_sub_devices;
Api<decltype(_cl_icd_dispatch::clRetainDevice)> retain_device;
Api<decltype(_cl_icd_dispatch::clReleaseDevice)> release_device;
Api<decltype(_cl_icd_dispatch::clCreateImage)> create_image;
Api<decltype(_cl_icd_dispatch::clCreateProgramWithBuiltInKernels)> create_program_with_built_in_kernels;
Api<decltype(_cl_icd_dispatch::clCompileProgram)> compile_program;
Api<decltype(_cl_icd_dispatch::clLinkProgram)> link_program;
Api<decltype(_cl_icd_dispatch::clUnloadPlatformCompiler)> unload_platform_compiler;
Api<decltype(_cl_icd_dispatch::clGetKernelArgInfo)> get_kernel_arg_info;
Api<decltype(_cl_icd_dispatch::clEnqueueFillBuffer)> enqueue_fill_buffer;
Api<decltype(_cl_icd_dispatch::clEnqueueFillImage)> enqueue_fill_image;
Api<decltype(_cl_icd_dispatch::clEnqueueMigrateMemObjects)> enqueue_migrate_mem_objects;
Api<decltype(_cl_icd_dispatch::clEnqueueMarkerWithWaitList)> enqueue_marker_with_wait_list;
Api<decltype(_cl_icd_dispatch::clEnqueueBarrierWithWaitList)> enqueue_barrier_with_wait_list;
Api<decltype(_cl_icd_dispatch::clCreateCommandQueueWithProperties)> create_command_queue_with_properties;
Api<decltype(_cl_icd_dispatch::clCreatePipe)> create_pipe;
Api<decltype(_cl_icd_dispatch::clGetPipeInfo)> get_pipe_info;
Api<decltype(_cl_icd_dispatch::clSVMAlloc)> svm_alloc;
Api<decltype(_cl_icd_dispatch::clSVMFree)> svm_free;
Api<decltype(_cl_icd_dispatch::clEnqueueSVMFree)> enqueue_svm_free;
Api<decltype(_cl_icd_dispatch::clEnqueueSVMMemcpy)> enqueue_svm_memcpy;
Api<decltype(_cl_icd_dispatch::clEnqueueSVMMemFill)> enqueue_svm_mem_fill;
Api<decltype(_cl_icd_dispatch::clEnqueueSVMMap)> enqueue_svm_map;
Api<decltype(_cl_icd_dispatch::clEnqueueSVMUnmap)> enqueue_svm_unmap;
Api<decltype(_cl_icd_dispatch::clCreateSamplerWithProperties)> create_sampler_with_properties;
Api<decltype(_cl_icd_dispatch::clSetKernelArgSVMPointer)> set_kernel_arg_svm_pointer;
Api<decltype(_cl_icd_dispatch::clSetKernelExecInfo)> set_kernel_exec_info;
Api<decltype(_cl_icd_dispatch::clCloneKernel)> clone_kernel;
Api<decltype(_cl_icd_dispatch::clCreateProgramWithIL)> create_program_with_il;
Api<decltype(_cl_icd_dispatch::clEnqueueSVMMigrateMem)> enqueue_svm_migrate_mem;
Api<decltype(_cl_icd_dispatch::clGetDeviceAndHostTimer)> get_device_and_host_timer;
Api<decltype(_cl_icd_dispatch::clGetHostTimer)> get_host_timer;
Api<decltype(_cl_icd_dispatch::clGetKernelSubGroupInfo)> get_kernel_sub_group_info;
Api<decltype(_cl_icd_dispatch::clSetDefaultDeviceCommandQueue)> set_default_device_command_queue;
Api<decltype(_cl_icd_dispatch::clSetProgramReleaseCallback)> set_program_release_callback;
Api<decltype(_cl_icd_dispatch::clSetProgramSpecializationConstant)> set_program_specialization_constant;
Api<decltype(_cl_icd_dispatch::clCreateBufferWithProperties)> create_buffer_with_properties;
Api<decltype(_cl_icd_dispatch::clCreateImageWithProperties)> create_image_with_properties;
Api<decltype(_cl_icd_dispatch::clSetContextDestructorCallback)> set_context_destructor_callback;
Api<decltype(_cl_icd_dispatch::clGetExtensionFunctionAddressForPlatform)>
    get_extension_function_address_for_platform;
Api<decltype(_cl_icd_dispatch::clCreateSubDevicesEXT)> create_sub_devices_ext;

// Extension functions, only accessible by name.
Api<clGetKernelSuggestedLocalWorkSizeKHR_fn> get_kernel_suggested_local_work_size;
Api<clHostMemAllocINTEL_fn> host_mem_alloc;
Api<clDeviceMemAllocINTEL_fn> device_mem_alloc;
Api<clSharedMemAllocINTEL_fn> shared_mem_alloc;
Api<clMemFreeINTEL_fn> mem_free;
Api<clMemBlockingFreeINTEL_fn> mem_blocking_free;
Api<clGetMemAllocInfoINTEL_fn> get_mem_alloc_info;
Api<clSetKernelArgMemPointerINTEL_fn> set_kernel_arg_mem_pointer;
cl_int set_kernel_arg_device_pointer(cl_kernel kernel, cl_uint index, cl_ulong address);
Api<clEnqueueMemFillINTEL_fn> enqueue_mem_fill;
Api<clEnqueueMemsetINTEL_fn> enqueue_memset;
Api<clEnqueueMemcpyINTEL_fn> enqueue_memcpy;
Api<clEnqueueMigrateMemINTEL_fn> enqueue_migrate_mem;
Api<clEnqueueMemAdviseINTEL_fn> enqueue_mem_advise;
Api<clCreateCommandBufferKHR_fn>
    create_command_buffer; // for recording functions see commands/record_commands.h
Api<clRetainCommandBufferKHR_fn> retain_command_buffer;
Api<clReleaseCommandBufferKHR_fn> release_command_buffer;
Api<clFinalizeCommandBufferKHR_fn> finalize_command_buffer;
Api<clEnqueueCommandBufferKHR_fn> enqueue_command_buffer;
Api<clGetCommandBufferInfoKHR_fn> get_command_buffer_info;

} // namespace visor::opencl
