// The functions of cl_intel_tracing.
#pragma once

#include <string_view>

namespace visor::opencl {

// By its name. Null: there is none.
[[nodiscard]] void* tracing_function(std::string_view name);

} // namespace visor::opencl
