// A vector from memory of which each lane of others wants the same one element (a point that all look at, a
// row of coefficients): its elements are loaded one by one. CPUs fill all lanes with what they load at no
// cost; out of a register that takes the units that also compute.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Behind LLVM's own passes, which would put the loads together again.
void load_each_for_all(llvm::Function& function);

} // namespace visor::jit
