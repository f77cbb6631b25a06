// Lines of the CPU's caches.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <cstdint>

namespace visor::jit {

inline constexpr int64_t line_bytes = 64;

enum class Near : uint8_t { first_cache, second_cache };

// Asks for the line that `place` is in, to be read soon; a place that does not exist is nothing to it.
void fetch_line(llvm::IRBuilder<>& ir, llvm::Value* place, Near near = Near::first_cache);

} // namespace visor::jit
