// What the platform offers beside the core, and which optional parts of OpenCL C 3.0 the compiler has for a
// device.
#pragma once

#include "isa/device.h"
#include "opencl/headers.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace visor::opencl {

[[nodiscard]] std::vector<cl_name_version> extensions(const isa::Device& device);
[[nodiscard]] std::string extension_text(const isa::Device& device);
[[nodiscard]] std::vector<cl_name_version> language_features(const isa::Device& device);
// Whether kernels can read images: where the compiler drops that without a word, the device has none.
[[nodiscard]] bool has_images(const isa::Device& device);

// What the compiler is told beside the application's options, so that its macros agree with the queries.
[[nodiscard]] std::string_view compiler_switches();

[[nodiscard]] cl_name_version named(std::string_view name, cl_version version);

} // namespace visor::opencl
