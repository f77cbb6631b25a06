// Forms broadcast loads: a loaded vector whose elements are only splat (a uniform point, a row of
// coefficients) is loaded element by element. CPUs broadcast from memory for free; a broadcast from a
// register occupies a vector port.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Runs after LLVM's passes, which would merge the loads again.
void form_broadcast_loads(llvm::Function& function);

} // namespace visor::jit
