#include "jit/analysis/coalescing.h"

#include "jit/ir/prefetch.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <vector>

namespace visor::jit {

namespace {

using llvm::Value;

// Limit of instructions that are copied, or looked at, for a loop.
constexpr size_t max_copies = 64;
constexpr size_t max_visited = 256;

// Values of a loop's first iteration.
class FirstIteration {
public:
    FirstIteration(llvm::IRBuilder<>& ir, const LaneSlices& slices, const Invariants& invariants)
        : ir_(ir), slices_(slices), invariants_(invariants) {}

    // Null: it depends on data that the loop loads, in any iteration, may trap, or takes too much code.
    Value* at(Value* value) {
        llvm::SmallPtrSet<const Value*, 32> visited;
        return depends_on_data(value, visited) ? nullptr : copy(value);
    }

private:
    [[nodiscard]] bool is_header_phi(const llvm::PHINode& phi) const {
        return phi.getParent() == slices_.chain().blocks.front();
    }

    bool depends_on_data(Value* value, llvm::SmallPtrSet<const Value*, 32>& visited) {
        std::vector<Value*> open{value};
        while (!open.empty()) {
            Value* const source = slices_.source(open.back());
            open.pop_back();
            if (!is_of_loop(source) || !visited.insert(source).second)
                continue;
            if (visited.size() > max_visited)
                return true;
            auto* const instruction = llvm::cast<llvm::Instruction>(source);
            if (const auto* const phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
                if (!is_header_phi(*phi))
                    return true;
                open.push_back(slices_.next(*phi));
            } else if (instruction->mayReadOrWriteMemory() || llvm::isa<MemoryIntrinsic>(instruction) ||
                       !llvm::isSafeToSpeculativelyExecute(instruction)) {
                return true;
            } else {
                open.insert(open.end(), instruction->op_begin(), instruction->op_end());
            }
        }
        return false;
    }

    [[nodiscard]] bool is_of_loop(const Value* value) const {
        return slices_.in_loop(value) && invariants_.value(const_cast<Value*>(value)) == value;
    }

    Value* copy(Value* value) {
        Value* const source = slices_.source(value);
        if (!is_of_loop(source))
            return invariants_.value(source);
        if (const auto known = copies_.find(source); known != copies_.end())
            return known->second;
        auto* const instruction = llvm::cast<llvm::Instruction>(source);
        if (const auto* const phi = llvm::dyn_cast<llvm::PHINode>(instruction))
            return copies_[source] = invariants_.value(slices_.first(*phi));
        if (++count_ > max_copies)
            return nullptr;
        std::vector<Value*> operands;
        for (Value* const operand : instruction->operands()) {
            operands.push_back(copy(operand)); // no deeper than max_copies
            if (operands.back() == nullptr)
                return nullptr;
        }
        llvm::Instruction* const own = instruction->clone();
        own->dropPoisonGeneratingFlags(); // the loop may not compute it
        for (unsigned k = 0; k < operands.size(); ++k)
            own->setOperand(k, operands[k]);
        return copies_[source] = ir_.Insert(own);
    }

    llvm::IRBuilder<>& ir_;
    const LaneSlices& slices_;
    const Invariants& invariants_;
    std::map<const Value*, Value*> copies_;
    size_t count_ = 0;
};

bool is_scattered(const LaneAffine::Form& form) {
    return form.steps.size() > 1 && std::abs(form.steps[1] - form.steps[0]) >= line_bytes;
}

// i1: the active lanes' addresses are in a row of units, or equal.
Value* is_coalesced(llvm::IRBuilder<>& ir, Value* addresses, uint32_t bytes, Value* on) {
    const uint32_t lanes = lanes_of(addresses);
    auto* const type = llvm::cast<llvm::IntegerType>(addresses->getType()->getScalarType());
    std::vector<llvm::Constant*> steps;
    for (uint32_t lane = 0; lane < lanes; ++lane)
        steps.push_back(llvm::ConstantInt::get(type, uint64_t{lane} * bytes));
    Value* const first = ir.CreateVectorSplat(lanes, ir.CreateExtractElement(addresses, uint64_t{0}));
    Value* const distances = ir.CreateSub(addresses, first);
    Value* const row = every_on(ir, ir.CreateICmpEQ(distances, llvm::ConstantVector::get(steps)), on);
    Value* const equal =
        every_on(ir, ir.CreateICmpEQ(distances, llvm::Constant::getNullValue(distances->getType())), on);
    return ir.CreateOr(row, equal);
}

} // namespace

LoopLoads loop_loads(const LaneSlices& slices, LaneAffine& affine) {
    LoopLoads loads;
    for (MemLoad* const load : slices.loads()) {
        const auto form = affine.form(load->addresses(), 0, load);
        if (!form)
            loads.unknown.push_back(load);
        else
            ++(is_scattered(*form) ? loads.scattered : loads.dense);
    }
    return loads;
}

Value* coalesced_on_entry(llvm::IRBuilder<>& ir, const LaneSlices& slices, const Invariants& invariants,
                          const LoopLoads& loads, Value* on) {
    if (loads.scattered != 0)
        return nullptr;
    FirstIteration first(ir, slices, invariants);
    Value* all = nullptr;
    size_t dependent = 0;
    for (const MemLoad* const load : loads.unknown) {
        Value* const addresses = load->lanes() == lanes_of(on) ? first.at(load->addresses()) : nullptr;
        if (addresses == nullptr) {
            ++dependent;
            continue;
        }
        Value* const one = is_coalesced(ir, addresses, load->unit_bits() / 8, on);
        all = all == nullptr ? one : ir.CreateAnd(all, one);
    }
    const size_t known = loads.dense + loads.unknown.size() - dependent;
    return known > dependent && all != nullptr ? ir.CreateFreeze(all) : nullptr;
}

} // namespace visor::jit
