// Kernels that try to falsify what compiled code believes (src/jit/program/assumed_facts.h), by each way
// there is.
#pragma once

#include "launcher.h"

namespace visor::containment {

// An indirect store, over the whole register file.
void overwrite_registers(Launcher& launcher);
// Inputs of a text that share bytes.
void overlap_inputs(Launcher& launcher);
// Items of a zebin's payload that share bytes, and the places where its text declares them.
void overlap_payload(Launcher& launcher);

} // namespace visor::containment
