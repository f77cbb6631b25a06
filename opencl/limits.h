// Device limits, shared by queries and by the checks of enqueueing.
#pragma once

#include "isa/device.h"
#include "opencl/headers.h"

#include <array>
#include <span>

namespace visor::opencl {

inline constexpr size_t address_alignment = 128; // bytes: of a sub-buffer's origin
inline constexpr size_t parameter_bytes = 2048;  // of a kernel's arguments, all together
inline constexpr cl_uint most_constant_arguments = 8;
inline constexpr cl_uint most_read_images = 128;
inline constexpr cl_uint most_write_images = 128;
inline constexpr cl_uint most_samplers = 16;
inline constexpr size_t image_side = 16384; // pixels, of one and two dimensions
inline constexpr size_t image_depth = 2048;
inline constexpr size_t image_layers = 2048;
inline constexpr size_t image_buffer_pixels = size_t{128} << 20U;
inline constexpr size_t variable_bytes = 64 << 10; // of a program-scope variable
inline constexpr cl_uint pitch_alignment = 4;      // pixels, of an image made from a buffer
inline constexpr double build_seconds =
    600; // of one build; long, since applications cannot continue without it (ruling 142)

inline constexpr size_t most_recorded_commands = 262144; // of a command buffer

[[nodiscard]] cl_ulong global_memory_bytes();
[[nodiscard]] cl_ulong most_allocation_bytes();

// Work-items of one group of a kernel of this SIMD size.
[[nodiscard]] size_t most_items(const isa::Device& device, uint32_t simd);
// Ascending.
[[nodiscard]] std::span<const size_t> sub_group_sizes(const isa::Device& device);

} // namespace visor::opencl
