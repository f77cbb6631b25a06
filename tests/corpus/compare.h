// Two places' results of one launch, side by side.
#pragma once

#include "examples/launch.h"

#include <string>

namespace visor::corpus {

// "" when the arrays agree: integers (type "u32") exactly, floats ("f32") within a part of 4096 of themselves
// or of 2^20 of the largest that the array holds (sums whose terms cancel), any NaN with any NaN. Otherwise
// the first difference, and how many there are. What has no type of its own ("struct") agrees word by word as
// either; the fourth element behind three ("f32x3") is padding, which only one of two compilers may write.
[[nodiscard]] std::string difference(const test::Launch& one, const test::Launch& other);

// Whether the arrays are the same bytes.
[[nodiscard]] bool identical(const test::Launch& one, const test::Launch& other);

} // namespace visor::corpus
