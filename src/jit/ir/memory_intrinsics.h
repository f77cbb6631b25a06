// Memory intrinsics: pseudo-instructions for the memory messages of lanes, in the code that the translator
// builds, until memory/lowering.h lowers them.
#pragma once

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>

#include <cstdint>

namespace visor::jit {

// 1 for what is no vector.
[[nodiscard]] inline uint32_t lanes_of(const llvm::Value* value) {
    const auto* const type = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
    return type == nullptr ? 1 : type->getNumElements();
}

// Whether a mask is known to have every lane on.
[[nodiscard]] inline bool is_all(const llvm::Value* on) {
    const auto* const constant = llvm::dyn_cast<llvm::Constant>(on);
    return constant != nullptr && constant->isAllOnesValue();
}

// A mask of lanes as an integer, bit k for lane k: the one that it was made of, where it was made of one.
[[nodiscard]] llvm::Value* mask_bits(llvm::IRBuilder<>& ir, llvm::Value* lanes);

// i1: what holds of each lane that is on.
[[nodiscard]] llvm::Value* every_on(llvm::IRBuilder<>& ir, llvm::Value* lanes, llvm::Value* on);

// 64 bytes of the module's own, for lanes that may not look at memory.
[[nodiscard]] llvm::Constant* zeros(llvm::Module& module);

// What the memory intrinsics' names begin with.
namespace intrinsics {
inline constexpr const char* any = "visor.";
inline constexpr const char* any_load = "visor.load";
inline constexpr const char* any_store = "visor.store";
inline constexpr const char* load_surface = "visor.load.surface";
inline constexpr const char* load_flat = "visor.load.flat";
inline constexpr const char* store_surface = "visor.store.surface";
inline constexpr const char* store_flat = "visor.store.flat";
inline constexpr const char* range_check = "visor.range_check";
inline constexpr const char* disjoint = "visor.disjoint";
inline constexpr const char* in_extent = "visor.in_extent";
inline constexpr const char* smallest = "visor.smallest";
inline constexpr const char* largest = "visor.largest";
} // namespace intrinsics

// `name`: one of those.
[[nodiscard]] inline bool is_memory_intrinsic(const llvm::CallInst& call, const char* name) {
    const llvm::Function* const callee = call.getCalledFunction();
    return callee != nullptr && callee->getName().starts_with(name);
}

// Where lanes reach: offsets of 32 bits in a surface that has `bytes` bytes behind `data`, after `mask`; or,
// when `data` is null, flat addresses of 64 bits, of which the caller knows that lanes that are on may use
// them.
struct Reach {
    llvm::Value* data = nullptr;
    llvm::Value* bytes = nullptr; // 64 bits
    llvm::Value* mask = nullptr;  // 64 bits
    uint32_t site = 0;            // of flat addresses: where they were admitted
    bool scratch = false;         // the thread's own scratch block, which no other message looks at
};

// On messages that do.
inline constexpr const char* scratch_mark = "visor.scratch";
[[nodiscard]] inline bool is_scratch(const llvm::CallInst& message) {
    return message.getMetadata(scratch_mark) != nullptr;
}

// How far behind its lanes' places a message's unit lies, or what a question asks for.
[[nodiscard]] inline uint32_t displacement_of(const llvm::CallInst& message) {
    return static_cast<uint32_t>(llvm::cast<llvm::ConstantInt>(message.getArgOperand(2))->getZExtValue());
}

// Whether a surface's offsets have a mask that is known and keeps less than all, as shared local memory's do.
[[nodiscard]] inline bool masks_offsets(const llvm::Value* mask) {
    const auto* const known = llvm::dyn_cast<llvm::ConstantInt>(mask);
    return known != nullptr && !known->isMinusOne();
}

// One unit of `bits` bits by lane, `displacement` bytes behind the lane's place; all vectors, of one lane
// too. Lanes that are outside read zero; what lanes that are off read says nothing.
[[nodiscard]] llvm::Value* create_load(llvm::IRBuilder<>& ir, llvm::Value* addresses, llvm::Value* on,
                                       const Reach& reach, uint32_t displacement, uint32_t bits);
// In lane order where lanes overlap.
void create_store(llvm::IRBuilder<>& ir, llvm::Value* addresses, llvm::Value* on, const Reach& reach,
                  uint32_t displacement, llvm::Value* values);
// i1: every lane that is on has its place + `displacement` in [low, last]: so its site says, for `bytes`
// bytes from each place on. The code that this leads to alone may name the site in its Reach.
[[nodiscard]] llvm::Value* create_range_check(llvm::IRBuilder<>& ir, llvm::Value* addresses, llvm::Value* on,
                                              llvm::Value* low, llvm::Value* last, uint32_t displacement,
                                              uint32_t site, uint32_t bytes);
// i64: the least, or the largest, place + `displacement` of lanes that are on.
[[nodiscard]] llvm::Value* create_extreme(llvm::IRBuilder<>& ir, llvm::Value* addresses, llvm::Value* on,
                                          uint32_t displacement, bool largest);
// i1: after `mask` (64 bits) each lane's `bytes` bytes end before the next one's begin.
[[nodiscard]] llvm::Value* create_disjoint_check(llvm::IRBuilder<>& ir, llvm::Value* addresses,
                                                 llvm::Value* mask, uint32_t bytes);
// i1: as far as is known before any lane is asked, `end` bytes from each place on end within `bytes` (64
// bits); false where nothing is known. Asks nothing of lanes: one comparison at most, of `bytes` alone.
[[nodiscard]] llvm::Value* create_extent_check(llvm::IRBuilder<>& ir, llvm::Value* addresses,
                                               llvm::Value* bytes, uint32_t end);

} // namespace visor::jit
