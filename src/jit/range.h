// How large a number in generated code can be, from what is known of the loads that it is made of.
#pragma once

#include <llvm/IR/Value.h>

#include <cstdint>
#include <optional>

namespace visor::jit {

// Of an integer without a sign; nothing when that is not known.
[[nodiscard]] std::optional<uint64_t> largest(const llvm::Value* value);
// Never less than that; 0 when nothing is known.
[[nodiscard]] uint64_t smallest(const llvm::Value* value);

} // namespace visor::jit
