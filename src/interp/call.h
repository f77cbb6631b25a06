// Calls of functions and the addresses of what a file defines: the family of control flow's other half.
#pragma once

#include "interp/interp.h"

namespace visor::interp {

// fcall, ifcall, fret and faddr; nullptr for all others.
[[nodiscard]] Handler function_call(const PreparedInstruction& instruction);

// The channels that a branch, a call or a return takes. Of execution size 1 it is uniform among the active
// ones.
[[nodiscard]] uint32_t taken_lanes(const machine::Thread& thread, const PreparedInstruction& instruction);

// Endless loops and recursions pass here: the place to notice that the caller wants the run to end.
void poll(machine::Thread& thread, const PreparedInstruction& instruction);

} // namespace visor::interp
