// Prefetching of cache lines.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <cstdint>

namespace visor::jit {

inline constexpr int64_t line_bytes = 64;

enum class CacheLevel : uint8_t { first_cache, second_cache };

// Prefetches the line that `address` is in, for a read; an invalid address has no effect.
void prefetch_line(llvm::IRBuilder<>& ir, llvm::Value* address, CacheLevel level = CacheLevel::first_cache);

// Prefetches the lines of `bytes` bytes, not negative, from `offset` bytes behind `base` on, into the first
// cache.
void prefetch_row(llvm::IRBuilder<>& ir, llvm::Value* base, int64_t offset, int64_t bytes);

} // namespace visor::jit
