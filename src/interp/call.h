// Calls of functions and the addresses of symbols: the other half of the control-flow family.
#pragma once

#include "interp/interp.h"

namespace visor::interp {

// fcall, ifcall, fret and faddr; nullptr for other instructions.
[[nodiscard]] Handler function_call(const PreparedInstruction& instruction);

// The channels that take a branch, a call or a return. With execution size 1 it is uniform over the active
// channels.
[[nodiscard]] uint32_t taken_lanes(const machine::Thread& thread, const PreparedInstruction& instruction);

// Every endless loop or recursion calls this. It checks whether the caller has requested the run to stop.
void poll(machine::Thread& thread, const PreparedInstruction& instruction);

} // namespace visor::interp
