// What the threads of a group read together is read in its order before the first of them begins: each thread
// by itself takes a line here and a line there (rows of a matrix, one a thread), which no CPU reads ahead.
// While they compute, lines of the next group are asked for.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// The store to a thread's State that its turn begins with, where groups come to barriers.
inline constexpr const char* turn_mark = "visor.turn";

// Wants stand-ins for messages (stand_in.h). Nothing that a kernel can see changes.
void touch_ahead(llvm::Function& function);

} // namespace visor::jit
