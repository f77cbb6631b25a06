// Uniformity analysis (divergence analysis) of predicates: finds vector predicates that are uniform, such as
// the bound of a loop of the whole group. The compiler emits them as NoMask comparisons of scalars for all
// lanes, as two halves for 32 lanes. Uses local value numbering.
#pragma once

#include "program/program.h"

#include <cstdint>
#include <vector>

namespace visor::jit {

// By predicate: whether its first `simd` bits are equal at the end of each block, for any execution mask.
// `leader`: block leaders. Time: n log n in the code's length.
[[nodiscard]] std::vector<bool> find_uniform_predicates(const Program& program,
                                                        const std::vector<bool>& leader, uint32_t simd);

} // namespace visor::jit
