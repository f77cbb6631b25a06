// The memory messages of lanes while nobody has looked at their addresses: calls that stand for them in the
// code that the families build, and what takes their place when registers have become values. Lanes whose
// places are known to lie together are loaded together, behind one look at the bounds; for others the code
// looks by itself.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Puts code where stand-ins are. `gathers`: the CPU has good ones of its own, as those do that mask bytes.
// `brief`: what is long is called for, not built at each message.
void expand_accesses(llvm::Function& function, bool gathers, bool brief);

} // namespace visor::jit
