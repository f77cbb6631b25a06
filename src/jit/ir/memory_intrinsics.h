// Memory intrinsics: pseudo-instructions for per-lane memory messages. The translator emits them,
// memory/lowering.h lowers them.
#pragma once

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>

#include <cstdint>

namespace visor::jit {

// 1 for scalars.
[[nodiscard]] inline uint32_t lanes_of(const llvm::Value* value) {
    const auto* const type = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
    return type == nullptr ? 1 : type->getNumElements();
}

// True if all lanes are known to be active.
[[nodiscard]] inline bool is_all(const llvm::Value* on) {
    const auto* const constant = llvm::dyn_cast<llvm::Constant>(on);
    return constant != nullptr && constant->isAllOnesValue();
}

// A lane mask as an integer, bit k for lane k. Looks through a bitcast from such an integer.
[[nodiscard]] llvm::Value* mask_bits(llvm::IRBuilder<>& ir, llvm::Value* lanes);

// i1: the condition holds in each active lane.
[[nodiscard]] llvm::Value* every_on(llvm::IRBuilder<>& ir, llvm::Value* lanes, llvm::Value* on);

// 64 zero bytes in the module: the load address of lanes that must not access memory.
[[nodiscard]] llvm::Constant* zeros(llvm::Module& module);

// Name prefixes of the memory intrinsics.
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

// Metadata on messages to scratch.
inline constexpr const char* scratch_mark = "visor.scratch";

// Typed views of the calls, for llvm::isa, cast and dyn_cast, as llvm::IntrinsicInst has them. README.md has
// the contract.
class MemoryIntrinsic : public llvm::CallInst {
public:
    MemoryIntrinsic() = delete;
    static bool classof(const llvm::Value* value) { return is(value, intrinsics::any); }

    [[nodiscard]] llvm::Value* addresses() const { return getArgOperand(0); } // of lanes
    [[nodiscard]] uint32_t lanes() const { return lanes_of(addresses()); }

protected:
    static bool is(const llvm::Value* value, const char* prefix) {
        const auto* const call = llvm::dyn_cast<llvm::CallInst>(value);
        const llvm::Function* const callee = call == nullptr ? nullptr : call->getCalledFunction();
        return callee != nullptr && callee->getName().starts_with(prefix);
    }
    [[nodiscard]] uint64_t constant(unsigned argument) const {
        return llvm::cast<llvm::ConstantInt>(getArgOperand(argument))->getZExtValue();
    }
};

// Those of active lanes, at a constant offset from their addresses.
class LaneIntrinsic : public MemoryIntrinsic {
public:
    static bool classof(const llvm::Value* value) {
        return is(value, intrinsics::any_load) || is(value, intrinsics::any_store) ||
               is(value, intrinsics::range_check) || is(value, intrinsics::smallest) ||
               is(value, intrinsics::largest);
    }

    [[nodiscard]] llvm::Value* on() const { return getArgOperand(1); } // the active lanes
    [[nodiscard]] uint32_t displacement() const { return static_cast<uint32_t>(constant(2)); }
};

// i1: each active lane lies in the site's interval.
class RangeCheck : public LaneIntrinsic {
public:
    static bool classof(const llvm::Value* value) { return is(value, intrinsics::range_check); }

    [[nodiscard]] llvm::Value* low() const { return getArgOperand(3); }
    [[nodiscard]] llvm::Value* last() const { return getArgOperand(4); } // begin of the last unit
    [[nodiscard]] uint32_t site() const { return static_cast<uint32_t>(constant(5)); }
    [[nodiscard]] uint32_t bytes() const { return static_cast<uint32_t>(constant(6)); } // of a unit
};

// i64: the minimum or maximum of the active lanes' addresses.
class Extreme : public LaneIntrinsic {
public:
    static bool classof(const llvm::Value* value) {
        return is(value, intrinsics::smallest) || is(value, intrinsics::largest);
    }

    [[nodiscard]] bool largest() const { return is(this, intrinsics::largest); }
};

// One unit of each active lane.
class MemAccess : public LaneIntrinsic {
public:
    static bool classof(const llvm::Value* value) {
        return is(value, intrinsics::any_load) || is(value, intrinsics::any_store);
    }

    [[nodiscard]] bool stores() const { return is(this, intrinsics::any_store); }
    [[nodiscard]] bool flat() const {
        return is(this, intrinsics::load_flat) || is(this, intrinsics::store_flat);
    }
    [[nodiscard]] llvm::Type* unit_type() const { // of all lanes
        return stores() ? getArgOperand(arg_size() - 1)->getType() : getType();
    }
    [[nodiscard]] uint32_t unit_bits() const { return unit_type()->getScalarSizeInBits(); }
    // The same operation on the same types, whatever its operands.
    [[nodiscard]] bool is_like(const MemAccess& other) const {
        return getCalledFunction() == other.getCalledFunction();
    }
    // Of flat memory: the site of the range check.
    [[nodiscard]] uint32_t site() const { return static_cast<uint32_t>(constant(3)); }
    // Of surfaces: a pointer to the first byte, the number of bytes (i64), the mask of offsets (i64).
    [[nodiscard]] llvm::Value* data() const { return getArgOperand(3); }
    [[nodiscard]] llvm::Value* window_bytes() const { return getArgOperand(4); }
    [[nodiscard]] llvm::Value* offset_mask() const { return getArgOperand(5); }
    // The thread's own scratch block, which no other message accesses.
    [[nodiscard]] bool scratch() const { return getMetadata(scratch_mark) != nullptr; }
};

class MemLoad : public MemAccess {
public:
    static bool classof(const llvm::Value* value) { return is(value, intrinsics::any_load); }
};

class MemStore : public MemAccess {
public:
    static bool classof(const llvm::Value* value) { return is(value, intrinsics::any_store); }

    [[nodiscard]] llvm::Value* values() const { return getArgOperand(arg_size() - 1); }
};

// i1: the lanes' bytes do not overlap.
class DisjointCheck : public MemoryIntrinsic {
public:
    static bool classof(const llvm::Value* value) { return is(value, intrinsics::disjoint); }

    [[nodiscard]] uint32_t bytes() const { return static_cast<uint32_t>(constant(1)); }
    [[nodiscard]] llvm::Value* offset_mask() const { return getArgOperand(2); }
};

// i1: `end` bytes from each address on are known to lie in a window.
class ExtentCheck : public MemoryIntrinsic {
public:
    static bool classof(const llvm::Value* value) { return is(value, intrinsics::in_extent); }

    [[nodiscard]] uint32_t end() const { return static_cast<uint32_t>(constant(1)); }
    [[nodiscard]] llvm::Value* window_bytes() const { return getArgOperand(2); }
};

// The memory that lanes access: 32-bit offsets, after `mask`, in a surface of `bytes` bytes at `data`. If
// `data` is null: flat 64-bit addresses that the caller has checked for active lanes.
struct Reach {
    llvm::Value* data = nullptr;
    llvm::Value* bytes = nullptr; // i64
    llvm::Value* mask = nullptr;  // i64
    uint32_t site = 0;            // of flat addresses: the site of their range check
    bool scratch = false;         // the thread's own scratch block, which no other message accesses
};

// True if a surface's offset mask is a constant that clears bits, as for shared local memory.
[[nodiscard]] inline bool masks_offsets(const llvm::Value* mask) {
    const auto* const known = llvm::dyn_cast<llvm::ConstantInt>(mask);
    return known != nullptr && !known->isMinusOne();
}

// One unit of `bits` bits per lane, at the lane's address + `displacement`; always a vector. Lanes outside
// read zero; the result of inactive lanes is unspecified.
[[nodiscard]] llvm::Value* create_load(llvm::IRBuilder<>& ir, llvm::Value* addresses, llvm::Value* on,
                                       const Reach& reach, uint32_t displacement, uint32_t bits);
// In lane order where lanes overlap.
void create_store(llvm::IRBuilder<>& ir, llvm::Value* addresses, llvm::Value* on, const Reach& reach,
                  uint32_t displacement, llvm::Value* values);
// i1: address + `displacement` of every active lane lies in [low, last]. These limits of the site allow
// `bytes` bytes from each address on. Only code that this condition dominates may name the site in its Reach.
[[nodiscard]] llvm::Value* create_range_check(llvm::IRBuilder<>& ir, llvm::Value* addresses, llvm::Value* on,
                                              llvm::Value* low, llvm::Value* last, uint32_t displacement,
                                              uint32_t site, uint32_t bytes);
// i64: the minimum or maximum of address + `displacement` over the active lanes.
[[nodiscard]] llvm::Value* create_extreme(llvm::IRBuilder<>& ir, llvm::Value* addresses, llvm::Value* on,
                                          uint32_t displacement, bool largest);
// i1: after `mask` (i64) the bytes of each lane end before those of the next lane begin.
[[nodiscard]] llvm::Value* create_disjoint_check(llvm::IRBuilder<>& ir, llvm::Value* addresses,
                                                 llvm::Value* mask, uint32_t bytes);
// i1: by known bits, `end` bytes from each address on lie within `bytes` (i64); false where nothing is known.
// Emits at most one comparison, of `bytes`, and none of lanes.
[[nodiscard]] llvm::Value* create_extent_check(llvm::IRBuilder<>& ir, llvm::Value* addresses,
                                               llvm::Value* bytes, uint32_t end);

} // namespace visor::jit
