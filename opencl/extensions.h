// Extensions and optional features of OpenCL C 3.0, for a device and the compiler that builds for it. The
// programs of tests/opencl/extensions check all of them.
#pragma once

#include "isa/device.h"
#include "opencl/headers.h"

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace visor::opencl {

// A compiler's version, as reported by ocloc (24.35). All zero: none.
struct Release {
    uint32_t year = 0;
    uint32_t week = 0;

    [[nodiscard]] auto operator<=>(const Release&) const = default;
};

struct Target {
    const isa::Device& device;
    Release compiler;
};

// The platform's device, with the compiler that builds for it. The first call of a process takes a few
// milliseconds, or a second when a compiler is new on this machine. Thread-safe.
[[nodiscard]] const Target& target();

[[nodiscard]] std::vector<cl_name_version> extensions(const Target& target);
[[nodiscard]] std::string extension_text(const Target& target);
[[nodiscard]] std::vector<cl_name_version> language_features(const Target& target);
// An extension or a feature, by its name.
[[nodiscard]] bool offers(const Target& target, std::string_view name);
// What cl_ext_float_atomics has for "fp16", "fp32" or "fp64": cl_device_fp_atomic_capabilities_ext.
[[nodiscard]] cl_bitfield float_atomics(const Target& target, std::string_view type);
// Whether kernels can read images: not where the compiler silently drops reads (pvc), or supports only a part
// (cri).
[[nodiscard]] bool has_images(const isa::Device& device);

// Internal compiler options, so that feature macros agree with the queries; and a preamble of the source that
// undefines macros of the compiler's headers for features that are not offered.
[[nodiscard]] std::string_view compiler_switches();
[[nodiscard]] std::string source_preamble(const Target& target);

[[nodiscard]] cl_name_version named(std::string_view name, cl_version version);

} // namespace visor::opencl
