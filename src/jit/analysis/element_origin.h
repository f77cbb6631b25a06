// Element provenance: where an element of a vector was computed, through the shuffles, blends and bitcasts
// that carry it.
#pragma once

#include <llvm/IR/Value.h>

#include <cstdint>
#include <map>

namespace visor::jit {

struct ElementOrigin {
    llvm::Value* value = nullptr; // scalar or vector; null: nobody made it
    uint32_t byte = 0;
};

// Copies of what a thread keeps while it stops, and what was kept.
using KeptValues = std::map<const llvm::Value*, llvm::Value*>;

// Moves elements and makes none: a shuffle, a blend by a constant, an insertion.
[[nodiscard]] bool moves_elements(const llvm::Value& value);

// Of `bytes` bytes of a vector, from `byte` on. Stops at a copy of what was kept unless it may go `through`.
[[nodiscard]] ElementOrigin origin(llvm::Value* vector, uint32_t byte, uint32_t bytes, const KeptValues& kept,
                                   bool through);

} // namespace visor::jit
