// The functions that record commands, as of version 0.9.5 of the extension: with a list of properties. Before
// that, all but the kernel's had none (forms.h).
#pragma once

#include "opencl/headers.h"

namespace visor::opencl {

using CommandProperties = const cl_properties*; // pairs with a closing zero, or null

// Errors are those of the function that enqueues the same command, with sync points in place of events, and
// CL_INVALID_COMMAND_BUFFER_KHR, CL_INVALID_OPERATION (finalized), CL_INVALID_COMMAND_QUEUE (one was given),
// CL_INVALID_VALUE (a property, or a place for a handle of the command: there are none),
// CL_OUT_OF_RESOURCES (the buffer is full).
cl_int record_barrier(cl_command_buffer_khr buffer, cl_command_queue queue, CommandProperties properties,
                      cl_uint count, const cl_sync_point_khr* list, cl_sync_point_khr* sync_point,
                      cl_mutable_command_khr* handle);
cl_int record_copy_buffer(cl_command_buffer_khr buffer, cl_command_queue queue, CommandProperties properties,
                          cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, size_t bytes,
                          cl_uint count, const cl_sync_point_khr* list, cl_sync_point_khr* sync_point,
                          cl_mutable_command_khr* handle);
cl_int record_copy_buffer_rect(cl_command_buffer_khr buffer, cl_command_queue queue,
                               CommandProperties properties, cl_mem from, cl_mem to,
                               const size_t* from_origin, const size_t* to_origin, const size_t* region,
                               size_t from_row, size_t from_slice, size_t to_row, size_t to_slice,
                               cl_uint count, const cl_sync_point_khr* list, cl_sync_point_khr* sync_point,
                               cl_mutable_command_khr* handle);
cl_int record_copy_buffer_to_image(cl_command_buffer_khr buffer, cl_command_queue queue,
                                   CommandProperties properties, cl_mem from, cl_mem to, size_t offset,
                                   const size_t* origin, const size_t* region, cl_uint count,
                                   const cl_sync_point_khr* list, cl_sync_point_khr* sync_point,
                                   cl_mutable_command_khr* handle);
cl_int record_copy_image(cl_command_buffer_khr buffer, cl_command_queue queue, CommandProperties properties,
                         cl_mem from, cl_mem to, const size_t* from_origin, const size_t* to_origin,
                         const size_t* region, cl_uint count, const cl_sync_point_khr* list,
                         cl_sync_point_khr* sync_point, cl_mutable_command_khr* handle);
cl_int record_copy_image_to_buffer(cl_command_buffer_khr buffer, cl_command_queue queue,
                                   CommandProperties properties, cl_mem from, cl_mem to, const size_t* origin,
                                   const size_t* region, size_t offset, cl_uint count,
                                   const cl_sync_point_khr* list, cl_sync_point_khr* sync_point,
                                   cl_mutable_command_khr* handle);
cl_int record_fill_buffer(cl_command_buffer_khr buffer, cl_command_queue queue, CommandProperties properties,
                          cl_mem memory, const void* pattern, size_t pattern_bytes, size_t offset,
                          size_t bytes, cl_uint count, const cl_sync_point_khr* list,
                          cl_sync_point_khr* sync_point, cl_mutable_command_khr* handle);
cl_int record_fill_image(cl_command_buffer_khr buffer, cl_command_queue queue, CommandProperties properties,
                         cl_mem memory, const void* color, const size_t* origin, const size_t* region,
                         cl_uint count, const cl_sync_point_khr* list, cl_sync_point_khr* sync_point,
                         cl_mutable_command_khr* handle);
cl_int record_nd_range_kernel(cl_command_buffer_khr buffer, cl_command_queue queue,
                              CommandProperties properties, cl_kernel kernel, cl_uint dimensions,
                              const size_t* offset, const size_t* global, const size_t* local, cl_uint count,
                              const cl_sync_point_khr* list, cl_sync_point_khr* sync_point,
                              cl_mutable_command_khr* handle);
cl_int record_svm_memcpy(cl_command_buffer_khr buffer, cl_command_queue queue, CommandProperties properties,
                         void* to, const void* from, size_t bytes, cl_uint count,
                         const cl_sync_point_khr* list, cl_sync_point_khr* sync_point,
                         cl_mutable_command_khr* handle);
cl_int record_svm_mem_fill(cl_command_buffer_khr buffer, cl_command_queue queue, CommandProperties properties,
                           void* to, const void* pattern, size_t pattern_bytes, size_t bytes, cl_uint count,
                           const cl_sync_point_khr* list, cl_sync_point_khr* sync_point,
                           cl_mutable_command_khr* handle);

} // namespace visor::opencl
