// Uniformity analysis (divergence analysis) of predicates: those that are uniform although each lane
// computes them, for instance the bound of a loop of the whole group. Compilers write that as comparisons of
// scalars, without the mask, for as many lanes as there are, in two halves where those are 32.
#pragma once

#include "program/program.h"

#include <cstdint>
#include <vector>

namespace visor::jit {

// By predicate: whether its first `simd` bits are equal at the end of each block, whatever lanes run there.
// `leader`: the instructions that begin blocks. Time: n log n in the code's length.
[[nodiscard]] std::vector<bool> find_uniform_predicates(const Program& program,
                                                        const std::vector<bool>& leader, uint32_t simd);

} // namespace visor::jit
