// What commands on memory objects check and do, for those that are enqueued and those that are recorded: each
// function looks at everything that its enqueueing function in the specification does, and hands the work to
// `enqueue`. `call` is the name of the application's function, for what is told of misuse; it lives for ever.
#pragma once

#include "opencl/memory/box.h"
#include "opencl/memory/memory.h"
#include "opencl/memory/usm.h"

namespace visor::opencl {

[[nodiscard]] cl_int copy_buffer(cl_command_queue queue, const EnqueueRequest& wish, cl_mem from, cl_mem to,
                                 size_t from_offset, size_t to_offset, size_t bytes);

// As the application gives it: three numbers behind each pointer.
struct RectangleCopy {
    const size_t* from_origin = nullptr;
    const size_t* to_origin = nullptr;
    const size_t* region = nullptr;
    Pitch from;
    Pitch to;
};
[[nodiscard]] cl_int copy_buffer_rect(cl_command_queue queue, const EnqueueRequest& wish, cl_mem from,
                                      cl_mem to, const RectangleCopy& what);

[[nodiscard]] cl_int fill_buffer(cl_command_queue queue, std::string_view call, const EnqueueRequest& wish,
                                 cl_mem memory, const Pattern& pattern, size_t offset, size_t bytes);

[[nodiscard]] cl_int copy_image(cl_command_queue queue, const EnqueueRequest& wish, cl_mem from, cl_mem to,
                                const size_t* from_origin, const size_t* to_origin, const size_t* region);

// A buffer's pixels without gaps, and an image's.
struct Transfer {
    cl_mem image = nullptr;
    cl_mem buffer = nullptr;
    const size_t* origin = nullptr; // in the image
    const size_t* region = nullptr;
    size_t offset = 0; // in the buffer
};
[[nodiscard]] cl_int transfer(cl_command_queue queue, const EnqueueRequest& wish, const Transfer& what,
                              bool to_buffer);

[[nodiscard]] cl_int fill_image(cl_command_queue queue, std::string_view call, const EnqueueRequest& wish,
                                cl_mem memory, const void* color, const size_t* origin, const size_t* region);

} // namespace visor::opencl
