// The command buffer functions that applications can look up by name.
#pragma once

#include <string_view>

namespace visor::opencl {

// nullptr: unknown name.
[[nodiscard]] void* command_buffer_function(std::string_view name);

} // namespace visor::opencl
