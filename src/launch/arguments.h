// Checks a kernel's arguments against its signature, and lays out their local memory.
#pragma once

#include "launch/bind.h"

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace visor::launch {

struct CheckedArguments {
    std::span<const ArgumentValue> values;
    std::vector<uint32_t> local_offsets; // by argument: from the end of the kernel's own local memory
    uint32_t slm_bytes = 0;              // of a group, all in all
};

// "argument 2 `n`"
[[nodiscard]] std::string argument_name(const Argument& argument);

// The shape of an OpenCL image type such as "image2d_t"; nothing for unsupported ones (multisampled).
[[nodiscard]] std::optional<machine::ImageShape> shape_of(std::string_view type_name);

// Checks that an image has a format, a size of 64 bits, and all pixels in device memory. `name` begins the
// error.
[[nodiscard]] std::expected<void, BindError> check_image(std::string_view name, const machine::Image& image,
                                                         const machine::Memory& memory);

[[nodiscard]] std::expected<CheckedArguments, BindError>
check_arguments(const Signature& signature, const isa::Device& device, std::span<const ArgumentValue> values,
                const machine::Memory& memory);

} // namespace visor::launch
