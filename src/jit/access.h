// The memory messages of lanes while nobody has looked at their addresses: calls that stand for them in the
// code that the families build, and what takes their place when registers have become values. Lanes whose
// places are known to lie together are loaded together, behind one look at the bounds; for others the code
// looks by itself.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>

#include <cstdint>

namespace visor::jit {

// Where lanes reach: offsets of 32 bits in a surface that has `bytes` bytes behind `data`, after `mask`; or,
// when `data` is null, flat addresses of 64 bits, of which the caller knows that lanes that are on may use
// them.
struct Reach {
    llvm::Value* data = nullptr;
    llvm::Value* bytes = nullptr; // 64 bits
    llvm::Value* mask = nullptr;  // 64 bits
};

// One unit of `bits` bits by lane, `displacement` bytes behind the lane's place; all vectors, of one lane
// too. Lanes that are outside read zero; what lanes that are off read says nothing.
[[nodiscard]] llvm::Value* stand_in_load(llvm::IRBuilder<>& ir, llvm::Value* places, llvm::Value* on,
                                         const Reach& reach, uint32_t displacement, uint32_t bits);
// In lane order where lanes overlap.
void stand_in_store(llvm::IRBuilder<>& ir, llvm::Value* places, llvm::Value* on, const Reach& reach,
                    uint32_t displacement, llvm::Value* values);
// i1: every lane that is on has its place + `displacement` in [low, last].
[[nodiscard]] llvm::Value* stand_in_admits(llvm::IRBuilder<>& ir, llvm::Value* places, llvm::Value* on,
                                           llvm::Value* low, llvm::Value* last, uint32_t displacement);
// i1: after `mask` (64 bits) each lane's `bytes` bytes end before the next one's begin.
[[nodiscard]] llvm::Value* stand_in_apart(llvm::IRBuilder<>& ir, llvm::Value* places, llvm::Value* mask,
                                          uint32_t bytes);

// Puts code where stand-ins are. `gathers`: the CPU has good ones of its own.
void expand_accesses(llvm::Function& function, bool gathers);

} // namespace visor::jit
