// The address table for `faddr`: addresses of functions and data that a kernel names are the same in a whole
// launch, so that code reads them from a table.
#pragma once

#include "machine/launch.h"

#include <cstdint>
#include <vector>

namespace visor::jit {

// Which instructions name something, in order: entry k of the table is what the k-th of them names.
[[nodiscard]] std::vector<uint32_t> instructions_with_symbols(const Program& program);

// The table. `instructions`: those of the kernel. 0: nothing defines the name.
[[nodiscard]] std::vector<uint64_t> symbol_addresses(const std::vector<uint32_t>& instructions,
                                                     const machine::Launch& launch);

} // namespace visor::jit
