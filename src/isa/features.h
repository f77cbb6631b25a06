// What a device has as a whole: widths of kernels, images, and what the rows of its instructions add up to.
// For lists and queries; what decides about a single instruction asks its row.
#pragma once

#include "isa/device.h"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace visor::isa {

// Work-items of a hardware thread that compilers make kernels for: the sizes of OpenCL's sub-groups.
[[nodiscard]] std::span<const size_t> simd_widths(const Device& device);
// Mnemonics of its systolic instructions and of the downscaling that feeds them, in the order of opcodes.
[[nodiscard]] std::vector<std::string_view> matrix_instructions(const Device& device);
// Whether it has sampler messages.
[[nodiscard]] bool has_samplers(const Device& device);
// Whether OpenCL C compiled for it may use images.
[[nodiscard]] bool compiles_images(const Device& device);

struct InstructionCount {
    size_t available = 0; // on the device
    size_t executed = 0;  // of these, by Visor
};
[[nodiscard]] InstructionCount count_instructions(const Device& device);

} // namespace visor::isa
