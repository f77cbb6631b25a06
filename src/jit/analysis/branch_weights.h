// Hot and cold paths, by branch weights.
#pragma once

#include <llvm/IR/BasicBlock.h>

namespace visor::jit {

// The edge is taken far less often than the other one, as the branch says.
[[nodiscard]] bool is_cold_edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to);

} // namespace visor::jit
