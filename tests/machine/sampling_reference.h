// OpenCL C's formulas for image reads (8.2, 8.3), one coordinate at a time and by the words of the
// specification: what the lanes of machine/image_lanes.h are compared with. It shares no code with them but
// the names of formats.
#pragma once

#include "machine/image.h"

#include <array>

namespace visor::machine::reference {

// `coordinate`: the dimensions, then the layer.
[[nodiscard]] Pixel sample(const Image& image, const Sampler& sampler, const std::array<float, 3>& coordinate,
                           const std::array<int, 3>& offset);
// Of integer coordinates; `outside` where there is no texel.
[[nodiscard]] Pixel load(const Image& image, const std::array<int, 3>& at, const Pixel& outside);

} // namespace visor::machine::reference
