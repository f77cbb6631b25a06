// Image regions of the API: an origin and a region of three numbers; the second is the layer of a 1D array.
#pragma once

#include "opencl/memory/memory.h"

#include <array>
#include <optional>
#include <vector>

namespace visor::opencl {

// A validated region of an image's pixels.
struct Area {
    size_t offset = 0; // bytes from the image's first pixel
    Pitch pitch;
    Box box;
};

// nullopt: not within the image.
[[nodiscard]] std::optional<Area> area_of(const _cl_mem& image, const size_t* origin, const size_t* region);
// Pitches of host memory for the area; nullopt: the given ones are too small.
[[nodiscard]] std::optional<Pitch> host_pitch(const _cl_mem& image, const Area& area, size_t row,
                                              size_t slice);

[[nodiscard]] bool is_supported(cl_mem_object_type type, const cl_image_format& format, cl_mem_flags flags);

} // namespace visor::opencl
