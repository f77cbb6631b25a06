// Lowers memory intrinsics (ir/memory_intrinsics.h), once registers have become values, to plain loads and
// stores with their range checks. Lanes whose addresses are known to lie together are accessed together,
// behind one range check; other accesses become gathers, scatters or loops over lanes.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Puts code where memory intrinsics are. `gathers`: the CPU has good ones of its own, as those do that mask
// bytes. `brief`: what is long is called for, not built at each message.
void lower_memory_intrinsics(llvm::Function& function, bool gathers, bool brief);

} // namespace visor::jit
