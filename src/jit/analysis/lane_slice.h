// The per-lane program slice of a loop: which of its blocks one lane executes, which values are invariant or
// uniform, which are the lane's own, and the code that computes these (transform/serialize_divergent_loops.h
// has the reason).
#pragma once

#include "jit/ir/bounds.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace visor::jit {

// Marks of the translator's: a branch that asks whether the thread may go on, and loads of Visor's own state,
// which any code may make at any time.
inline constexpr const char* poll_mark = "visor.poll";
inline constexpr const char* state_mark = "visor.state";
void mark_as_poll(llvm::BranchInst& branch);
void mark_as_state(llvm::LoadInst& load);

// The way through a loop when nothing unlikely happens.
struct LaneChain {
    std::vector<llvm::BasicBlock*> blocks; // from the header to the latch
    llvm::BranchInst* leaves = nullptr;    // the only hot path out
    llvm::BasicBlock* exit = nullptr;
    llvm::BranchInst* poll = nullptr;
    llvm::PHINode* mask = nullptr; // the lanes that run, if each leaves when its bit does not stay
    // Where the end of one of the blocks goes on.
    [[nodiscard]] const llvm::BasicBlock* stays(const llvm::BranchInst& end) const;
};

enum class LaneKind : uint8_t {
    none,      // nothing that a lane could compute
    invariant, // the same in each iteration: from outside, or made of such
    uniform,   // a number that all lanes share
    lanes,     // a vector: an equal part for each lane
    mask,      // an integer: a bit for each lane
    test,      // a question about lanes, each of which may ask for itself
};

class LaneSlices {
public:
    using Value = llvm::Value;

    // Of an innermost loop with a preheader, one latch, and its own exits (LLVM's simplified form, LCSSA).
    // Nothing: lanes cannot run it by themselves.
    static std::optional<LaneSlices> find(const llvm::Loop& loop, uint32_t simd);

    [[nodiscard]] const LaneChain& chain() const { return chain_; }
    [[nodiscard]] uint32_t simd() const { return simd_; }
    [[nodiscard]] LaneKind kind(const Value* value) const;
    // Behind the phis that the hot path has no choice at.
    [[nodiscard]] Value* source(Value* value) const;
    // A phi of the header: its value in front of the loop, and that for the next iteration.
    [[nodiscard]] Value* first(const llvm::PHINode& phi) const;
    [[nodiscard]] Value* next(const llvm::PHINode& phi) const;
    [[nodiscard]] bool needed(const llvm::Instruction& instruction) const {
        return needed_.contains(&instruction);
    }
    [[nodiscard]] const std::vector<llvm::PHINode*>& needed_phis() const { return needed_phis_; }
    // What such a phi as a count of instructions grows by in each iteration; null: not the same each time.
    [[nodiscard]] llvm::Constant* step(const llvm::PHINode& phi) const;
    // Such a phi, or made of those and of what does not change: the count of iterations tells it, and no lane
    // has to carry it along.
    [[nodiscard]] bool counted(const Value* value) const { return counted_.contains(value); }
    // What is one for all lanes, is wanted behind the loop and is not counted.
    [[nodiscard]] std::vector<Value*> uniform_after() const;
    // Of numbers that do not change, to Visor's own state: one iteration's.
    [[nodiscard]] const std::vector<llvm::StoreInst*>& stores() const { return stores_; }
    [[nodiscard]] std::vector<llvm::CallInst*> loads() const;
    // Instructions by lane that a iteration takes, without masks, most of which are known.
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
    [[nodiscard]] LaneKind of_call(llvm::CallInst& call) const;
    [[nodiscard]] LaneKind of_vector(llvm::Instruction& instruction) const;
    [[nodiscard]] bool in_loop(const Value* value) const;
    [[nodiscard]] bool is_lanes(const Value* value) const;
    [[nodiscard]] bool divides(const llvm::Type* type) const;
    [[nodiscard]] bool is_clear(const Value* mask) const;

    const llvm::Loop* loop_;
    uint32_t simd_;
    LaneChain chain_;
    std::set<const llvm::BasicBlock*> on_chain_;
    std::set<const Value*> masks_; // integers made of masks
    std::map<const Value*, LaneKind> kinds_;
    std::set<const Value*> unclear_; // masks that may have bits above the lanes'
    std::set<const llvm::Instruction*> needed_;
    std::vector<llvm::PHINode*> needed_phis_;
    std::set<const Value*> counted_;
    std::vector<llvm::StoreInst*> stores_;
};

// What is computed once for all lanes.
class Invariants {
public:
    using Value = llvm::Value;

    // Code in front of `before`; `entry`: where memory is reserved.
    Invariants(const LaneSlices& slices, llvm::Instruction& before, llvm::BasicBlock& entry);

    [[nodiscard]] Value* value(Value* original) const;
    // The part of lane `number` (i32) of a vector; its bit of an integer.
    Value* part(llvm::IRBuilder<>& ir, Value* vector, Value* number);
    Value* bit(llvm::IRBuilder<>& ir, Value* mask, Value* number);
    // i1: there is something that no lane can do by itself.
    [[nodiscard]] Value* bails_out() const { return bails_out_; }
    // Where lanes may be, and what is there. A lane's place is `index << shift` bytes behind `begin`, or,
    // when that is null, `index` itself is an address.
    struct Limits {
        Value* index = nullptr;  // a vector of the loop's
        Value* mask = nullptr;   // what of it counts; null: all
        Value* least = nullptr;  // null: zero
        Value* extent = nullptr; // the lane is inside when it is at most this far from there
        Value* begin = nullptr;
        unsigned shift = 0;
        Guard guard = Guard::flat;
    };
    [[nodiscard]] const Limits& limits(const llvm::CallInst& call) const { return limits_.at(&call); }
    // Eight bytes of zeros.
    [[nodiscard]] Value* zero_slot() const { return zero_slot_; }
    Value* create_slot(llvm::Type* type);
    // The smaller one of two that are known here.
    Value* smaller(Value* one, Value* other);

private:
    void prepare_range_check(llvm::CallInst& call);
    void prepare_flat(llvm::CallInst& load);
    void prepare_surface(llvm::CallInst& load);
    void bail_out_if(Value* condition);
    // In 64 bits; null when a lane would have to add them up.
    Value* sum_of(const std::vector<Value*>& terms, uint64_t displacement);

    const LaneSlices& slices_;
    llvm::IRBuilder<> ir_;
    llvm::BasicBlock& entry_;
    std::map<const Value*, Value*> values_;
    std::map<const Value*, Value*> stack_slots_; // memory that vectors lie in
    Bounds bounds_;
    std::map<const llvm::CallInst*, Limits> limits_;
    std::map<uint64_t, Value*> checked_index_; // indices by site
    Value* bails_out_;
    Value* zero_slot_ = nullptr;
};

// The code of one lane.
class LaneCode {
public:
    using Value = llvm::Value;

    LaneCode(const LaneSlices& slices, Invariants& invariants, llvm::IRBuilder<>& ir, Value* number,
             llvm::BasicBlock* bail_out)
        : slices_(slices), invariants_(invariants), ir_(ir), bounds_(ir), number_(number),
          bail_out_(bail_out) {}

    // What the lane has of vectors from outside is read in front of `load_point`, once, instead of where it
    // is wanted: a loop's end that lies in memory is known late, just when its last iteration surprises the
    // processor.
    void hoist_loads_to(llvm::Instruction& load_point) { load_point_ = &load_point; }
    // The lane is off: loads are zero, and nothing is asked.
    void set_inactive() { inactive_ = true; }
    void set(const Value* original, Value* own) { own_[original] = own; }
    // Where `index` comes to was asked already.
    void set_checked(Value* index, llvm::ICmpInst* check) { checked_[index] = check; }
    // What is needed of the block, without its end.
    void emit(llvm::BasicBlock& block);
    // The lane's share of a value that was emitted, or is from outside.
    Value* at(Value* original, LaneKind kind);
    // A branch's condition.
    Value* test(Value* condition);
    // Behind all iterations, when phis that are counted have been set: what is made of them in the last
    // iteration.
    void recompute_counted();
    // The condition of the branch that asks whether the thread may go on.
    Value* now(llvm::BranchInst& poll);

private:
    Value* emit_one(llvm::Instruction& instruction);
    Value* emit_mask(llvm::Instruction& instruction);
    Value* emit_intrinsic(llvm::CallInst& call);
    Value* emit_load(llvm::CallInst& call);
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
    std::map<const Value*, Value*> parts_;      // that were read at home
    std::map<Value*, llvm::ICmpInst*> checked_; // what indices were compared with
};

} // namespace visor::jit
