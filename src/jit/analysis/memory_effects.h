// Memory effects (clobbers): what may write memory that a kernel's messages read, in code whose messages are
// memory intrinsics (ir/memory_intrinsics.h): a value that was loaded before may differ after.
#pragma once

#include <llvm/IR/Instructions.h>

namespace visor::jit {

// Of other threads' writes, too: what was loaded before may not serve behind it.
[[nodiscard]] bool orders_memory(const llvm::Instruction& instruction);

// Memory that loads may look at: not the machine's own, nor a thread's scratch block.
[[nodiscard]] bool may_write(const llvm::Instruction& instruction);

// A load of a surface that is neither shared local memory nor scratch, whichever it turns out to be: what
// may_write() does not tell of leaves it as it was.
[[nodiscard]] bool loads_shared_surface(const llvm::CallInst& call);

} // namespace visor::jit
