// Prefetching of cache lines.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <cstdint>

namespace visor::jit {

inline constexpr int64_t line_bytes = 64;

enum class CacheLevel : uint8_t { first_cache, second_cache };

// Asks for the line that `address` is in, to be read soon; a place that does not exist is nothing to it.
void prefetch_line(llvm::IRBuilder<>& ir, llvm::Value* address, CacheLevel level = CacheLevel::first_cache);

} // namespace visor::jit
