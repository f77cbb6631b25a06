// The functions of the API, by the names that this library gives them: each has the type that the loader's
// table wants. Parameters are named where they are defined; a function stands in the file of its object
// family.
#pragma once

#include "opencl/headers.h"

#include <type_traits>

namespace visor::opencl {

template <class Pointer>
using Api = std::remove_pointer_t<Pointer>;

Api<cl_api_clGetPlatformIDs> get_platform_ids;
Api<cl_api_clGetPlatformInfo> get_platform_info;
Api<cl_api_clGetDeviceIDs> get_device_ids;
Api<cl_api_clGetDeviceInfo> get_device_info;
Api<cl_api_clCreateContext> create_context;
Api<cl_api_clCreateContextFromType> create_context_from_type;
Api<cl_api_clRetainContext> retain_context;
Api<cl_api_clReleaseContext> release_context;
Api<cl_api_clGetContextInfo> get_context_info;
Api<cl_api_clCreateCommandQueue> create_command_queue;
Api<cl_api_clRetainCommandQueue> retain_command_queue;
Api<cl_api_clReleaseCommandQueue> release_command_queue;
Api<cl_api_clGetCommandQueueInfo> get_command_queue_info;
Api<cl_api_clSetCommandQueueProperty> set_command_queue_property;
Api<cl_api_clCreateBuffer> create_buffer;
Api<cl_api_clCreateImage2D> create_image2d;
Api<cl_api_clCreateImage3D> create_image3d;
Api<cl_api_clRetainMemObject> retain_mem_object;
Api<cl_api_clReleaseMemObject> release_mem_object;
Api<cl_api_clGetSupportedImageFormats> get_supported_image_formats;
Api<cl_api_clGetMemObjectInfo> get_mem_object_info;
Api<cl_api_clGetImageInfo> get_image_info;
Api<cl_api_clCreateSampler> create_sampler;
Api<cl_api_clRetainSampler> retain_sampler;
Api<cl_api_clReleaseSampler> release_sampler;
Api<cl_api_clGetSamplerInfo> get_sampler_info;
Api<cl_api_clCreateProgramWithSource> create_program_with_source;
Api<cl_api_clCreateProgramWithBinary> create_program_with_binary;
Api<cl_api_clRetainProgram> retain_program;
Api<cl_api_clReleaseProgram> release_program;
Api<cl_api_clBuildProgram> build_program;
Api<cl_api_clUnloadCompiler> unload_compiler;
Api<cl_api_clGetProgramInfo> get_program_info;
Api<cl_api_clGetProgramBuildInfo> get_program_build_info;
Api<cl_api_clCreateKernel> create_kernel;
Api<cl_api_clCreateKernelsInProgram> create_kernels_in_program;
Api<cl_api_clRetainKernel> retain_kernel;
Api<cl_api_clReleaseKernel> release_kernel;
Api<cl_api_clSetKernelArg> set_kernel_arg;
Api<cl_api_clGetKernelInfo> get_kernel_info;
Api<cl_api_clGetKernelWorkGroupInfo> get_kernel_work_group_info;
Api<cl_api_clWaitForEvents> wait_for_events;
Api<cl_api_clGetEventInfo> get_event_info;
Api<cl_api_clRetainEvent> retain_event;
Api<cl_api_clReleaseEvent> release_event;
Api<cl_api_clGetEventProfilingInfo> get_event_profiling_info;
Api<cl_api_clFlush> flush;
Api<cl_api_clFinish> finish;
Api<cl_api_clEnqueueReadBuffer> enqueue_read_buffer;
Api<cl_api_clEnqueueWriteBuffer> enqueue_write_buffer;
Api<cl_api_clEnqueueCopyBuffer> enqueue_copy_buffer;
Api<cl_api_clEnqueueReadImage> enqueue_read_image;
Api<cl_api_clEnqueueWriteImage> enqueue_write_image;
Api<cl_api_clEnqueueCopyImage> enqueue_copy_image;
Api<cl_api_clEnqueueCopyImageToBuffer> enqueue_copy_image_to_buffer;
Api<cl_api_clEnqueueCopyBufferToImage> enqueue_copy_buffer_to_image;
Api<cl_api_clEnqueueMapBuffer> enqueue_map_buffer;
Api<cl_api_clEnqueueMapImage> enqueue_map_image;
Api<cl_api_clEnqueueUnmapMemObject> enqueue_unmap_mem_object;
Api<cl_api_clEnqueueNDRangeKernel> enqueue_nd_range_kernel;
Api<cl_api_clEnqueueTask> enqueue_task;
Api<cl_api_clEnqueueNativeKernel> enqueue_native_kernel;
Api<cl_api_clEnqueueMarker> enqueue_marker;
Api<cl_api_clEnqueueWaitForEvents> enqueue_wait_for_events;
Api<cl_api_clEnqueueBarrier> enqueue_barrier;
Api<cl_api_clGetExtensionFunctionAddress> get_extension_function_address;
Api<cl_api_clSetEventCallback> set_event_callback;
Api<cl_api_clCreateSubBuffer> create_sub_buffer;
Api<cl_api_clSetMemObjectDestructorCallback> set_mem_object_destructor_callback;
Api<cl_api_clCreateUserEvent> create_user_event;
Api<cl_api_clSetUserEventStatus> set_user_event_status;
Api<cl_api_clEnqueueReadBufferRect> enqueue_read_buffer_rect;
Api<cl_api_clEnqueueWriteBufferRect> enqueue_write_buffer_rect;
Api<cl_api_clEnqueueCopyBufferRect> enqueue_copy_buffer_rect;
Api<cl_api_clCreateSubDevices> create_sub_devices;
Api<cl_api_clRetainDevice> retain_device;
Api<cl_api_clReleaseDevice> release_device;
Api<cl_api_clCreateImage> create_image;
Api<cl_api_clCreateProgramWithBuiltInKernels> create_program_with_built_in_kernels;
Api<cl_api_clCompileProgram> compile_program;
Api<cl_api_clLinkProgram> link_program;
Api<cl_api_clUnloadPlatformCompiler> unload_platform_compiler;
Api<cl_api_clGetKernelArgInfo> get_kernel_arg_info;
Api<cl_api_clEnqueueFillBuffer> enqueue_fill_buffer;
Api<cl_api_clEnqueueFillImage> enqueue_fill_image;
Api<cl_api_clEnqueueMigrateMemObjects> enqueue_migrate_mem_objects;
Api<cl_api_clEnqueueMarkerWithWaitList> enqueue_marker_with_wait_list;
Api<cl_api_clEnqueueBarrierWithWaitList> enqueue_barrier_with_wait_list;
Api<cl_api_clCreateCommandQueueWithProperties> create_command_queue_with_properties;
Api<cl_api_clCreatePipe> create_pipe;
Api<cl_api_clGetPipeInfo> get_pipe_info;
Api<cl_api_clSVMAlloc> svm_alloc;
Api<cl_api_clSVMFree> svm_free;
Api<cl_api_clEnqueueSVMFree> enqueue_svm_free;
Api<cl_api_clEnqueueSVMMemcpy> enqueue_svm_memcpy;
Api<cl_api_clEnqueueSVMMemFill> enqueue_svm_mem_fill;
Api<cl_api_clEnqueueSVMMap> enqueue_svm_map;
Api<cl_api_clEnqueueSVMUnmap> enqueue_svm_unmap;
Api<cl_api_clCreateSamplerWithProperties> create_sampler_with_properties;
Api<cl_api_clSetKernelArgSVMPointer> set_kernel_arg_svm_pointer;
Api<cl_api_clSetKernelExecInfo> set_kernel_exec_info;
Api<cl_api_clCloneKernel> clone_kernel;
Api<cl_api_clCreateProgramWithIL> create_program_with_il;
Api<cl_api_clEnqueueSVMMigrateMem> enqueue_svm_migrate_mem;
Api<cl_api_clGetDeviceAndHostTimer> get_device_and_host_timer;
Api<cl_api_clGetHostTimer> get_host_timer;
Api<cl_api_clGetKernelSubGroupInfo> get_kernel_sub_group_info;
Api<cl_api_clSetDefaultDeviceCommandQueue> set_default_device_command_queue;
Api<cl_api_clSetProgramReleaseCallback> set_program_release_callback;
Api<cl_api_clSetProgramSpecializationConstant> set_program_specialization_constant;
Api<cl_api_clCreateBufferWithProperties> create_buffer_with_properties;
Api<cl_api_clCreateImageWithProperties> create_image_with_properties;
Api<cl_api_clSetContextDestructorCallback> set_context_destructor_callback;
Api<cl_api_clGetExtensionFunctionAddressForPlatform> get_extension_function_address_for_platform;
Api<cl_api_clCreateSubDevicesEXT> create_sub_devices_ext;

// Extensions, reached by name alone.
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
Api<clCreateCommandBufferKHR_fn> create_command_buffer; // the others of its kind: commands/record_commands.h
Api<clRetainCommandBufferKHR_fn> retain_command_buffer;
Api<clReleaseCommandBufferKHR_fn> release_command_buffer;
Api<clFinalizeCommandBufferKHR_fn> finalize_command_buffer;
Api<clEnqueueCommandBufferKHR_fn> enqueue_command_buffer;
Api<clGetCommandBufferInfoKHR_fn> get_command_buffer_info;

} // namespace visor::opencl
