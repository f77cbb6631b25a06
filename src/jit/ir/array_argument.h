// Array arguments: pointer arguments of outlined functions. An attribute holds the array's size in bytes for
// the access verifier.
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>

namespace visor::jit {

// `argument` points to an array of `bytes` bytes that the caller owns.
void set_array_argument(llvm::Function& function, unsigned argument, uint64_t bytes);

// 0 without the attribute.
[[nodiscard]] uint64_t array_argument_bytes(const llvm::Argument& argument);

} // namespace visor::jit
