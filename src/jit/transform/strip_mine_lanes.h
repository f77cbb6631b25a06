// Strip-mining of elementwise arithmetic over sub-vectors where register pressure is too high: a loop
// computes one part of the lanes after another. More of a part's values fit the registers, and the code is
// half as long or less.
#pragma once

#include <cstdint>

#include <llvm/IR/Function.h>

namespace visor::jit {

// The CPU has `registers` vector registers of `register_bits` each. Blocks without much such arithmetic, or
// whose values fit, stay as they are, unless `eager`.
void strip_mine_lanes(llvm::Function& function, uint32_t register_bits, uint32_t registers,
                      bool eager = false);

} // namespace visor::jit
