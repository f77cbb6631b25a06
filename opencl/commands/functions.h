// The functions of command buffers that an application may ask for by name.
#pragma once

#include <string_view>

namespace visor::opencl {

// nullptr: there is none of this name.
[[nodiscard]] void* command_buffer_function(std::string_view name);

} // namespace visor::opencl
