// What the launch decides about image messages: what compiled code may assume of the images and samplers,
// and the windows that hold the rest.
#pragma once

#include "jit/engine/image_access.h"
#include "jit/engine/runtime_abi.h"
#include "jit/program/image_messages.h"
#include "machine/launch.h"

#include <vector>

namespace visor::jit {

// The messages whose image and sampler this launch has, ascending. Others are interpreter fallbacks: also
// those on images of 2 GiB and more, or whose rows overlap.
[[nodiscard]] std::vector<ImageAccess> image_accesses(const ImageMessages& messages,
                                                      const machine::Launch& launch);

// The windows of the messages' surfaces, in their order; empty ones for what is no image.
[[nodiscard]] std::vector<ImageWindow> image_windows(const ImageMessages& messages,
                                                     const machine::Launch& launch);

} // namespace visor::jit
