// Forms broadcast loads: a vector from memory of which other vectors splat one element each (a point that
// all lanes look at, a row of coefficients) is loaded element by element. CPUs broadcast from memory at no
// cost; from a register that takes the ports that also compute.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Behind LLVM's own passes, which would put the loads together again.
void form_broadcast_loads(llvm::Function& function);

} // namespace visor::jit
