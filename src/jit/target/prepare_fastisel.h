// LLVM selects machine instructions quickly, one by one from a block's end, until it meets something that its
// quick way does not know; the rest of the block, up to its beginning, takes ten times as long. Some of what
// it does not know has another way that it does: constants of vectors come out of memory, lanes that leave
// their vector go through the stack. The rest moves up as far as it goes.
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>

namespace visor::jit {

// For code that is made quickly, behind split_vectors(). Time: linear.
void suit_fast_selection(llvm::Function& function, uint32_t register_bits);

} // namespace visor::jit
