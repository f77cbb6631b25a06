// Records commands into a command buffer, with the checks and work of the enqueueing functions
// (memory/commands.h, kernel.h). The loader does not check these handles.
#include "opencl/commands/record_commands.h"

#include "opencl/commands/command_buffer.h"
#include "opencl/kernel.h"
#include "opencl/memory/commands.h"
#include "opencl/memory/usm.h"

namespace visor::opencl {

namespace {

// The common parameters of all functions.
struct RecordCall {
    cl_command_buffer_khr buffer = nullptr;
    cl_command_queue queue = nullptr;
    CommandProperties properties = nullptr;
    cl_uint count = 0;
    const cl_sync_point_khr* list = nullptr;
    cl_sync_point_khr* sync_point = nullptr;
    cl_mutable_command_khr* handle = nullptr;
};

cl_int check_record_call(const RecordCall& call) {
    if (!is_valid(call.buffer))
        return CL_INVALID_COMMAND_BUFFER_KHR;
    if (call.queue != nullptr) // the buffer's own alone, and that is null
        return CL_INVALID_COMMAND_QUEUE;
    if (call.buffer->is_finalized())
        return CL_INVALID_OPERATION;
    const bool has_properties = call.properties != nullptr && *call.properties != 0;
    return has_properties || call.handle != nullptr ? CL_INVALID_VALUE : CL_SUCCESS;
}

// `command` checks, and enqueues its work with the given queue and request.
template <class Command>
cl_int record(const RecordCall& call, const Command& command) {
    if (const cl_int problem = check_record_call(call); problem != CL_SUCCESS)
        return problem;
    const Recording recording{*call.buffer, call.count, call.list, call.sync_point};
    const EnqueueRequest request{.recording = &recording};
    return command(call.buffer->queue.get(), request);
}

} // namespace

// A replay runs all commands in recording order: nothing to do.
cl_int record_barrier(cl_command_buffer_khr buffer, cl_command_queue queue, CommandProperties properties,
                      cl_uint count, const cl_sync_point_khr* list, cl_sync_point_khr* sync_point,
                      cl_mutable_command_khr* handle) {
    return record(
        {buffer, queue, properties, count, list, sync_point, handle},
        [](cl_command_queue own, const EnqueueRequest& request) { return enqueue(own, request, {}); });
}

cl_int record_copy_buffer(cl_command_buffer_khr buffer, cl_command_queue queue, CommandProperties properties,
                          cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, size_t bytes,
                          cl_uint count, const cl_sync_point_khr* list, cl_sync_point_khr* sync_point,
                          cl_mutable_command_khr* handle) {
    const Ref<_cl_mem> source = hold_if_handle(from);
    const Ref<_cl_mem> target = hold_if_handle(to);
    return record({buffer, queue, properties, count, list, sync_point, handle},
                  [&](cl_command_queue own, const EnqueueRequest& request) {
                      return copy_buffer(own, request, source.get(), target.get(), from_offset, to_offset,
                                         bytes);
                  });
}

cl_int record_copy_buffer_rect(cl_command_buffer_khr buffer, cl_command_queue queue,
                               CommandProperties properties, cl_mem from, cl_mem to,
                               const size_t* from_origin, const size_t* to_origin, const size_t* region,
                               size_t from_row, size_t from_slice, size_t to_row, size_t to_slice,
                               cl_uint count, const cl_sync_point_khr* list, cl_sync_point_khr* sync_point,
                               cl_mutable_command_khr* handle) {
    const Ref<_cl_mem> source = hold_if_handle(from);
    const Ref<_cl_mem> target = hold_if_handle(to);
    const RectangleCopy what{from_origin, to_origin, region, {from_row, from_slice}, {to_row, to_slice}};
    return record({buffer, queue, properties, count, list, sync_point, handle},
                  [&](cl_command_queue own, const EnqueueRequest& request) {
                      return copy_buffer_rect(own, request, source.get(), target.get(), what);
                  });
}

cl_int record_copy_buffer_to_image(cl_command_buffer_khr buffer, cl_command_queue queue,
                                   CommandProperties properties, cl_mem from, cl_mem to, size_t offset,
                                   const size_t* origin, const size_t* region, cl_uint count,
                                   const cl_sync_point_khr* list, cl_sync_point_khr* sync_point,
                                   cl_mutable_command_khr* handle) {
    const Ref<_cl_mem> source = hold_if_handle(from);
    const Ref<_cl_mem> image = hold_if_handle(to);
    return record({buffer, queue, properties, count, list, sync_point, handle},
                  [&](cl_command_queue own, const EnqueueRequest& request) {
                      return transfer(own, request, {image.get(), source.get(), origin, region, offset},
                                      false);
                  });
}

cl_int record_copy_image(cl_command_buffer_khr buffer, cl_command_queue queue, CommandProperties properties,
                         cl_mem from, cl_mem to, const size_t* from_origin, const size_t* to_origin,
                         const size_t* region, cl_uint count, const cl_sync_point_khr* list,
                         cl_sync_point_khr* sync_point, cl_mutable_command_khr* handle) {
    const Ref<_cl_mem> source = hold_if_handle(from);
    const Ref<_cl_mem> target = hold_if_handle(to);
    return record({buffer, queue, properties, count, list, sync_point, handle},
                  [&](cl_command_queue own, const EnqueueRequest& request) {
                      return copy_image(own, request, source.get(), target.get(), from_origin, to_origin,
                                        region);
                  });
}

cl_int record_copy_image_to_buffer(cl_command_buffer_khr buffer, cl_command_queue queue,
                                   CommandProperties properties, cl_mem from, cl_mem to, const size_t* origin,
                                   const size_t* region, size_t offset, cl_uint count,
                                   const cl_sync_point_khr* list, cl_sync_point_khr* sync_point,
                                   cl_mutable_command_khr* handle) {
    const Ref<_cl_mem> image = hold_if_handle(from);
    const Ref<_cl_mem> target = hold_if_handle(to);
    return record({buffer, queue, properties, count, list, sync_point, handle},
                  [&](cl_command_queue own, const EnqueueRequest& request) {
                      return transfer(own, request, {image.get(), target.get(), origin, region, offset},
                                      true);
                  });
}

cl_int record_fill_buffer(cl_command_buffer_khr buffer, cl_command_queue queue, CommandProperties properties,
                          cl_mem memory, const void* pattern, size_t pattern_bytes, size_t offset,
                          size_t bytes, cl_uint count, const cl_sync_point_khr* list,
                          cl_sync_point_khr* sync_point, cl_mutable_command_khr* handle) {
    const Ref<_cl_mem> held = hold_if_handle(memory);
    return record({buffer, queue, properties, count, list, sync_point, handle},
                  [&](cl_command_queue own, const EnqueueRequest& request) {
                      return fill_buffer(own, "clCommandFillBufferKHR", request, held.get(),
                                         {pattern, pattern_bytes}, offset, bytes);
                  });
}

cl_int record_fill_image(cl_command_buffer_khr buffer, cl_command_queue queue, CommandProperties properties,
                         cl_mem memory, const void* color, const size_t* origin, const size_t* region,
                         cl_uint count, const cl_sync_point_khr* list, cl_sync_point_khr* sync_point,
                         cl_mutable_command_khr* handle) {
    const Ref<_cl_mem> held = hold_if_handle(memory);
    return record({buffer, queue, properties, count, list, sync_point, handle},
                  [&](cl_command_queue own, const EnqueueRequest& request) {
                      return fill_image(own, "clCommandFillImageKHR", request, held.get(), color, origin,
                                        region);
                  });
}

cl_int record_nd_range_kernel(cl_command_buffer_khr buffer, cl_command_queue queue,
                              CommandProperties properties, cl_kernel kernel, cl_uint dimensions,
                              const size_t* offset, const size_t* global, const size_t* local, cl_uint count,
                              const cl_sync_point_khr* list, cl_sync_point_khr* sync_point,
                              cl_mutable_command_khr* handle) {
    const Ref<_cl_kernel> held = hold_if_handle(kernel);
    return record({buffer, queue, properties, count, list, sync_point, handle},
                  [&](cl_command_queue own, const EnqueueRequest& request) {
                      return launch_kernel(own, request, held.get(), {dimensions, offset, global, local});
                  });
}

cl_int record_svm_memcpy(cl_command_buffer_khr buffer, cl_command_queue queue, CommandProperties properties,
                         void* to, const void* from, size_t bytes, cl_uint count,
                         const cl_sync_point_khr* list, cl_sync_point_khr* sync_point,
                         cl_mutable_command_khr* handle) {
    return record({buffer, queue, properties, count, list, sync_point, handle},
                  [&](cl_command_queue own, const EnqueueRequest& request) {
                      return enqueue_copy(own, "clCommandSVMMemcpyKHR", request, to, from, bytes);
                  });
}

cl_int record_svm_mem_fill(cl_command_buffer_khr buffer, cl_command_queue queue, CommandProperties properties,
                           void* to, const void* pattern, size_t pattern_bytes, size_t bytes, cl_uint count,
                           const cl_sync_point_khr* list, cl_sync_point_khr* sync_point,
                           cl_mutable_command_khr* handle) {
    return record({buffer, queue, properties, count, list, sync_point, handle},
                  [&](cl_command_queue own, const EnqueueRequest& request) {
                      return enqueue_fill(own, "clCommandSVMMemFillKHR", request, to,
                                          {pattern, pattern_bytes}, bytes);
                  });
}

} // namespace visor::opencl
