// Fences, and whether a program's threads may wait for what other groups write.
#pragma once

#include "program/program.h"

namespace visor::program {

// What a fence orders; neither: it is one of the compiler's.
struct FenceScope {
    bool global = false;
    bool local = false;
};
// FENCE, LSC_FENCE pages.
[[nodiscard]] FenceScope fence_scope(const Program& program, const PreparedInstruction& fence);

// True where a loop has an atomic message or a fence that is not of shared local memory alone, or calls what
// may have one. A loop that only reads memory waits for nothing that it could be sure to see. Time: linear.
[[nodiscard]] bool may_wait_for_groups(const Program& program);

} // namespace visor::program
