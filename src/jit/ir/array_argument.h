// Arguments that point to arrays of the caller's: how many bytes are there is an attribute, which the
// verifier of accesses asks.
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>

namespace visor::jit {

// What an argument of a function beside the kernel's points to: an array of so many bytes of its caller's.
void set_array_argument(llvm::Function& function, unsigned argument, uint64_t bytes);

// Zero: none was set.
[[nodiscard]] uint64_t array_argument_bytes(const llvm::Argument& argument);

} // namespace visor::jit
