// Arithmetic of many lanes whose values do not fit the CPU's registers all at once: where a lane's result is
// made of that lane's operands alone, it is done for a part of the lanes after the other, in a loop. More of
// a part's values fit, and the code is half as long or less.
#pragma once

#include <cstdint>

#include <llvm/IR/Function.h>

namespace visor::jit {

// The CPU has `registers` vector registers of `register_bits` each. Blocks without much such arithmetic, or
// whose values fit, stay as they are, unless `eager`.
void compute_by_parts(llvm::Function& function, uint32_t register_bits, uint32_t registers,
                      bool eager = false);

} // namespace visor::jit
