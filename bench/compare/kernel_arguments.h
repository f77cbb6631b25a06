// A work's arguments as those of an OpenCL kernel.
#pragma once

#include "work.h"

#include <CL/cl.h>

namespace visor::compare {

// `buffers`: owners of the work's buffers, in its order. Returns the first code that is no success.
[[nodiscard]] cl_int set_arguments(cl_kernel kernel, const Work& work, const auto& buffers) {
    for (cl_uint i = 0; i < work.arguments.size(); ++i) {
        const Argument& argument = work.arguments[i];
        cl_mem memory = argument.kind == Argument::Kind::buffer ? buffers[argument.buffer].get() : nullptr;
        const void* value = argument.value.data();
        size_t size = argument.value.size();
        if (argument.kind == Argument::Kind::buffer) {
            value = static_cast<const void*>(&memory);
            size = sizeof(cl_mem);
        } else if (argument.kind == Argument::Kind::local) {
            value = nullptr;
            size = argument.local_bytes;
        }
        if (const cl_int code = clSetKernelArg(kernel, i, size, value); code != CL_SUCCESS)
            return code;
    }
    return CL_SUCCESS;
}

} // namespace visor::compare
