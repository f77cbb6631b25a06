// Checks and work of commands on memory objects, for enqueueing and recording: each function performs the
// checks of its enqueueing function in the specification, and passes the work to `enqueue`. `call`: the name
// of the API function for reports of misuse, a string literal.
#pragma once

#include "opencl/memory/box.h"
#include "opencl/memory/memory.h"
#include "opencl/memory/usm.h"

namespace visor::opencl {

[[nodiscard]] cl_int copy_buffer(cl_command_queue queue, const EnqueueRequest& request, cl_mem from,
                                 cl_mem to, size_t from_offset, size_t to_offset, size_t bytes);

// The application's parameters: each pointer has three numbers.
struct RectangleCopy {
    const size_t* from_origin = nullptr;
    const size_t* to_origin = nullptr;
    const size_t* region = nullptr;
    Pitch from;
    Pitch to;
};
[[nodiscard]] cl_int copy_buffer_rect(cl_command_queue queue, const EnqueueRequest& request, cl_mem from,
                                      cl_mem to, const RectangleCopy& what);

[[nodiscard]] cl_int fill_buffer(cl_command_queue queue, std::string_view call, const EnqueueRequest& request,
                                 cl_mem memory, const Pattern& pattern, size_t offset, size_t bytes);

[[nodiscard]] cl_int copy_image(cl_command_queue queue, const EnqueueRequest& request, cl_mem from, cl_mem to,
                                const size_t* from_origin, const size_t* to_origin, const size_t* region);

// A buffer's pixels without gaps, and an image's.
struct Transfer {
    cl_mem image = nullptr;
    cl_mem buffer = nullptr;
    const size_t* origin = nullptr; // in the image
    const size_t* region = nullptr;
    size_t offset = 0; // in the buffer
};
[[nodiscard]] cl_int transfer(cl_command_queue queue, const EnqueueRequest& request, const Transfer& what,
                              bool to_buffer);

[[nodiscard]] cl_int fill_image(cl_command_queue queue, std::string_view call, const EnqueueRequest& request,
                                cl_mem memory, const void* color, const size_t* origin, const size_t* region);

} // namespace visor::opencl
