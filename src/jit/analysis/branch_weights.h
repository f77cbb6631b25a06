// Hot and cold paths, by branch weights.
#pragma once

#include <llvm/IR/BasicBlock.h>

namespace visor::jit {

// True if the branch's weights make this edge far less frequent than the other one.
[[nodiscard]] bool is_cold_edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to);

} // namespace visor::jit
