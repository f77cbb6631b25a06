// Memory effects (clobbers): instructions that may write memory that a kernel's messages read, in code with
// memory intrinsics (ir/memory_intrinsics.h). A value loaded before may be stale after.
#pragma once

#include "jit/ir/memory_intrinsics.h"

#include <llvm/IR/Instructions.h>

namespace visor::jit {

// Orders other threads' writes, too: earlier loads may be stale after it.
[[nodiscard]] bool orders_memory(const llvm::Instruction& instruction);

// Writes to memory that messages load from: neither the engine's own nor scratch.
[[nodiscard]] bool may_write(const llvm::Instruction& instruction);

// A store to shared local memory, which neither flat messages nor other surfaces reach.
[[nodiscard]] bool writes_local_memory(const MemStore& store);

// A load of a surface that is neither shared local memory nor scratch. Only instructions with may_write() can
// change its result.
[[nodiscard]] bool loads_shared_surface(const MemLoad& load);

} // namespace visor::jit
