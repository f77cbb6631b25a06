// The address table for `faddr`: addresses of functions and data are uniform over a launch, so code reads
// them from a table.
#pragma once

#include "machine/launch.h"

#include <cstdint>
#include <vector>

namespace visor::jit {

// The `faddr` instructions in order: entry k of the table is the address for the k-th of them.
[[nodiscard]] std::vector<uint32_t> instructions_with_symbols(const Program& program);

// The table for these instructions of the kernel. 0: the symbol is undefined.
[[nodiscard]] std::vector<uint64_t> symbol_addresses(const std::vector<uint32_t>& instructions,
                                                     const machine::Launch& launch);

} // namespace visor::jit
