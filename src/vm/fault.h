// Formats faults as messages.
#pragma once

#include "machine/fault.h"
#include "machine/memory.h"
#include "vm/loaded.h"

namespace visor::vm {

// Kernel, group, thread, lane, the instruction with its line, and the allocation near the address.
[[nodiscard]] Error describe(const machine::Fault& fault, const LoadedKernel& kernel, const Linked& code,
                             const machine::Memory& memory);

} // namespace visor::vm
