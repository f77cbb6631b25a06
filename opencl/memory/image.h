// Images as the API numbers them: an origin and a region of three numbers, of which the second is the layer
// of a one-dimensional array.
#pragma once

#include "opencl/memory/memory.h"

#include <array>
#include <optional>
#include <vector>

namespace visor::opencl {

// A region of an image's pixels, made sure of.
struct Area {
    size_t offset = 0; // bytes from the image's first pixel
    Pitch pitch;
    Box box;
};

// nullopt: it is no region of this image.
[[nodiscard]] std::optional<Area> area_of(const _cl_mem& image, const size_t* origin, const size_t* region);
// Pitches of host memory that holds the area; nullopt: those given do not.
[[nodiscard]] std::optional<Pitch> host_pitch(const _cl_mem& image, const Area& area, size_t row,
                                              size_t slice);

[[nodiscard]] bool is_supported(cl_mem_object_type type, const cl_image_format& format, cl_mem_flags flags);

} // namespace visor::opencl
