// Lines of the CPU's caches.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <cstdint>

namespace visor::jit {

inline constexpr int64_t line_bytes = 64;

// Asks for the line that `place` is in, to be read soon; a place that does not exist is nothing to it.
void fetch_line(llvm::IRBuilder<>& ir, llvm::Value* place);

} // namespace visor::jit
