// The per-lane program slice of a loop: the blocks that one lane executes, which values are invariant,
// uniform or the lane's own, and the code that computes them (transform/serialize_divergent_loops.h).
#pragma once

#include "jit/ir/bounds.h"
#include "jit/ir/memory_intrinsics.h"
#include "jit/ir/safepoint.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace visor::jit {

// The hot path through a loop.
struct LaneChain {
    std::vector<llvm::BasicBlock*> blocks; // from the header to the latch
    llvm::BranchInst* leaves = nullptr;    // the only hot exiting branch
    llvm::BasicBlock* exit = nullptr;
    SafepointPoll* poll = nullptr;
    llvm::PHINode* mask = nullptr; // the active lanes, if a lane leaves when its bit is cleared
    // The successor of a chain block on the hot path.
    [[nodiscard]] const llvm::BasicBlock* stays(const llvm::BranchInst& end) const;
};

enum class LaneKind : uint8_t {
    none,      // not computable for one lane
    invariant, // loop-invariant
    uniform,   // a scalar, equal for all lanes
    lanes,     // a vector: an equal part for each lane
    mask,      // an integer: a bit for each lane
    test,      // a condition on all lanes that each lane can evaluate for itself
};

class LaneSlices {
public:
    using Value = llvm::Value;

    // Of an innermost loop in simplified LCSSA form with a preheader and one latch. None if the loop cannot
    // be serialized.
    static std::optional<LaneSlices> find(const llvm::Loop& loop, uint32_t simd);

    [[nodiscard]] const LaneChain& chain() const { return chain_; }
    [[nodiscard]] uint32_t simd() const { return simd_; }
    [[nodiscard]] LaneKind kind(const Value* value) const;
    [[nodiscard]] bool in_loop(const Value* value) const;
    // Looks through phis with only one hot incoming edge.
    [[nodiscard]] Value* source(Value* value) const;
    // A header phi's value on entry, and for the next iteration.
    [[nodiscard]] Value* first(const llvm::PHINode& phi) const;
    [[nodiscard]] Value* next(const llvm::PHINode& phi) const;
    [[nodiscard]] bool needed(const llvm::Instruction& instruction) const {
        return needed_.contains(&instruction);
    }
    [[nodiscard]] const std::vector<llvm::PHINode*>& needed_phis() const { return needed_phis_; }
    // The constant step of a uniform header phi, such as an instruction count; null if it varies.
    [[nodiscard]] llvm::Constant* step(const llvm::PHINode& phi) const;
    // Such a phi, or computed from such phis and invariants. The iteration count determines it: no lane needs
    // to carry it.
    [[nodiscard]] bool counted(const Value* value) const { return counted_.contains(value); }
    // Uniform values that are live after the loop and not counted.
    [[nodiscard]] std::vector<Value*> uniform_after() const;
    // Stores of invariant values to the engine's state, in each iteration.
    [[nodiscard]] const std::vector<llvm::StoreInst*>& stores() const { return stores_; }
    [[nodiscard]] std::vector<MemLoad*> loads() const;
    // Per-lane instructions of an iteration, without masks, most of which are known.
    [[nodiscard]] size_t size() const;

private:
    LaneSlices(const llvm::Loop& loop, uint32_t simd) : loop_(&loop), simd_(simd) {}

    bool find_chain();
    bool follow(llvm::BranchInst& end, llvm::BasicBlock*& next);
    void find_masks();
    bool find_kinds();
    bool find_mask_of_exit();
    bool find_stores();
    [[nodiscard]] std::vector<Value*> poll_operands() const;
    [[nodiscard]] std::vector<Value*> roots() const;
    bool find_needed();
    void find_counted();
    [[nodiscard]] bool is_known_after(const Value* value) const;
    [[nodiscard]] const Value* splat_of(const llvm::Instruction& instruction) const;
    [[nodiscard]] bool reads_no_store() const;
    [[nodiscard]] LaneKind compute(llvm::Instruction& instruction) const;
    [[nodiscard]] LaneKind of_phi(llvm::PHINode& phi) const;
    [[nodiscard]] LaneKind of_mask(llvm::Instruction& instruction) const;
    [[nodiscard]] LaneKind of_compare(llvm::ICmpInst& instruction) const;
    [[nodiscard]] LaneKind of_bitcast(llvm::BitCastInst& instruction) const;
    [[nodiscard]] LaneKind of_shuffle(llvm::ShuffleVectorInst& instruction) const;
    [[nodiscard]] LaneKind of_intrinsic(const MemoryIntrinsic& call) const;
    [[nodiscard]] LaneKind of_vector(llvm::Instruction& instruction) const;
    [[nodiscard]] bool is_lanes(const Value* value) const;
    [[nodiscard]] bool divides(const llvm::Type* type) const;
    [[nodiscard]] bool is_clear(const Value* mask) const;

    const llvm::Loop* loop_;
    uint32_t simd_;
    LaneChain chain_;
    std::set<const llvm::BasicBlock*> on_chain_;
    std::set<const Value*> masks_; // integers computed from masks
    std::map<const Value*, LaneKind> kinds_;
    std::set<const Value*> unclear_; // masks with possibly nonzero bits above the lanes'
    std::set<const llvm::Instruction*> needed_;
    std::vector<llvm::PHINode*> needed_phis_;
    std::set<const Value*> counted_;
    std::vector<llvm::StoreInst*> stores_;
};

// Values computed once for all lanes.
class Invariants {
public:
    using Value = llvm::Value;

    // Emits code before `before`; `entry`: the block for allocas.
    Invariants(const LaneSlices& slices, llvm::Instruction& before, llvm::BasicBlock& entry);

    [[nodiscard]] Value* value(Value* original) const;
    // Lane `number`'s (i32) part of a vector; its bit of an integer.
    Value* part(llvm::IRBuilder<>& ir, Value* vector, Value* number);
    Value* bit(llvm::IRBuilder<>& ir, Value* mask, Value* number);
    // i1: the loop cannot be serialized at run time.
    [[nodiscard]] Value* bails_out() const { return bails_out_; }
    // A lane's range of addresses. The address is `begin + (index << shift)`, or `index` itself where `begin`
    // is null.
    struct Limits {
        Value* index = nullptr;  // a vector of the loop
        Value* mask = nullptr;   // applies to the index; null: all bits
        Value* least = nullptr;  // null: zero
        Value* extent = nullptr; // inside if index - least does not exceed it
        Value* begin = nullptr;
        unsigned shift = 0;
        Guard guard = Guard::flat;
    };
    [[nodiscard]] const Limits& limits(const LaneIntrinsic& message) const { return limits_.at(&message); }
    // Eight bytes of zeros.
    [[nodiscard]] Value* zero_slot() const { return zero_slot_; }
    Value* create_slot(llvm::Type* type);
    // The minimum of two invariant limits.
    Value* smaller(Value* one, Value* other);

private:
    void prepare_range_check(const RangeCheck& check);
    void prepare_flat(const MemLoad& load);
    void prepare_surface(const MemLoad& load);
    void bail_out_if(Value* condition);
    // In 64 bits; null if a term is not invariant.
    Value* sum_of(const std::vector<Value*>& terms, uint64_t displacement);

    const LaneSlices& slices_;
    llvm::IRBuilder<> ir_;
    llvm::BasicBlock& entry_;
    std::map<const Value*, Value*> values_;
    std::map<const Value*, Value*> stack_slots_; // stack copies of vectors
    Bounds bounds_;
    std::map<const LaneIntrinsic*, Limits> limits_;
    std::map<uint32_t, Value*> checked_index_; // indices by site
    Value* bails_out_;
    Value* zero_slot_ = nullptr;
};

// Emits the code of one lane.
class LaneCode {
public:
    using Value = llvm::Value;

    LaneCode(const LaneSlices& slices, Invariants& invariants, llvm::IRBuilder<>& ir, Value* number,
             llvm::BasicBlock* bail_out)
        : slices_(slices), invariants_(invariants), ir_(ir), bounds_(ir), number_(number),
          bail_out_(bail_out) {}

    // Loads the lane's parts of invariant vectors once, before `load_point`, instead of at each use.
    // Otherwise a loop bound in memory arrives late when the last iteration is mispredicted.
    void hoist_loads_to(llvm::Instruction& load_point) { load_point_ = &load_point; }
    // The lane is inactive: loads yield zero, without checks.
    void set_inactive() { inactive_ = true; }
    void set(const Value* original, Value* own) { own_[original] = own; }
    // `index` has a range check already.
    void set_checked(Value* index, llvm::ICmpInst* check) { checked_[index] = check; }
    // Emits the needed instructions of the block, without its terminator.
    void emit(llvm::BasicBlock& block);
    // The lane's part of an emitted or invariant value.
    Value* at(Value* original, LaneKind kind);
    // The condition of a branch.
    Value* test(Value* condition);
    // Recomputes counted values after all iterations, from the counted phis' values in the last iteration.
    void recompute_counted();
    // The condition of the poll branch.
    Value* now(SafepointPoll& poll);

private:
    Value* emit_one(llvm::Instruction& instruction);
    Value* emit_mask(llvm::Instruction& instruction);
    Value* emit_intrinsic(llvm::CallInst& call);
    Value* emit_load(const MemLoad& load);
    Value* part(Value* source);
    Value* inside(const Invariants::Limits& limits, Value* on);
    Value* emit_shuffle(llvm::ShuffleVectorInst& shuffle);
    Value* emit_copy(llvm::Instruction& instruction);
    void bail_out_unless(Value* holds);

    const LaneSlices& slices_;
    Invariants& invariants_;
    llvm::IRBuilder<>& ir_;
    Bounds bounds_;
    Value* number_;
    llvm::BasicBlock* bail_out_;
    llvm::Instruction* load_point_ = nullptr;
    bool inactive_ = false;
    std::map<const Value*, Value*> own_;
    std::map<const Value*, Value*> parts_;      // loaded at load_point_
    std::map<Value*, llvm::ICmpInst*> checked_; // range checks by index
};

} // namespace visor::jit
