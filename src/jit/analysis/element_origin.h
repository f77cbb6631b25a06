// Element provenance: where an element of a vector was computed, through the shuffles, blends and bitcasts
// that carry it.
#pragma once

#include <llvm/IR/Value.h>

#include <cstdint>
#include <map>

namespace visor::jit {

struct ElementOrigin {
    llvm::Value* value = nullptr; // scalar or vector; null: undefined
    uint32_t byte = 0;
};

// Values reloaded after a barrier, and the values saved before it.
using KeptValues = std::map<const llvm::Value*, llvm::Value*>;

// Only moves elements: a shuffle, a blend by a constant, an insertion.
[[nodiscard]] bool moves_elements(const llvm::Value& value);

// The origin of `bytes` bytes of a vector, from `byte` on. Stops at reloaded values unless `through`.
[[nodiscard]] ElementOrigin origin(llvm::Value* vector, uint32_t byte, uint32_t bytes, const KeptValues& kept,
                                   bool through);

} // namespace visor::jit
