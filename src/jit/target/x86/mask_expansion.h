// Lane masks from integers: without AVX-512, LLVM takes such a mask bit by bit for masked loads and stores,
// for logic with other masks and for its parts, some five instructions a lane.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Such users get a comparison of each lane's bit instead, which is a vector from the beginning.
// `masked_memory`: the CPU has masked loads and stores (AVX); without, LLVM branches on each bit. Time:
// linear.
void expand_masks(llvm::Function& function, bool masked_memory);

} // namespace visor::jit
