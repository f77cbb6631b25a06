// Strip-mining of elementwise arithmetic over sub-vectors under high register pressure: a loop computes one
// part of the lanes after the other. More of a part's values fit the registers, and the code is at most half
// as long.
#pragma once

#include <cstdint>

#include <llvm/IR/Function.h>

namespace visor::jit {

// The CPU has `registers` vector registers of `register_bits` each. Skips blocks with little such arithmetic
// or low register pressure, unless `eager`.
void strip_mine_lanes(llvm::Function& function, uint32_t register_bits, uint32_t registers,
                      bool eager = false);

} // namespace visor::jit
