// The values of a loop that a lane must compute, and those known for all lanes after it.
#include "jit/analysis/lane_slice.h"
#include "jit/ir/memory_intrinsics.h"

#include <llvm/Analysis/VectorUtils.h>

#include <algorithm>

namespace visor::jit {

namespace {

using llvm::Value;

// The base of a chain of GEPs.
const Value* base_of(const Value* pointer) {
    while (const auto* const step = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer))
        pointer = step->getPointerOperand();
    return pointer;
}

} // namespace

// Finds the mask whose bits leave the loop one by one: lanes inactive at the start stay inactive.
bool LaneSlices::find_mask_of_exit() {
    Value* const condition = source(chain_.leaves->getCondition());
    if (kind(condition) == LaneKind::uniform)
        return true;
    auto* const compare = llvm::dyn_cast<llvm::ICmpInst>(condition);
    if (kind(condition) != LaneKind::test || compare == nullptr)
        return false;
    const bool leaves_if_true = chain_.leaves->getSuccessor(0) == chain_.exit;
    if (leaves_if_true != (compare->getPredicate() == llvm::CmpInst::ICMP_EQ))
        return false; // all lanes leave with the first one
    for (llvm::PHINode& phi : loop_->getHeader()->phis())
        if (kind(&phi) == LaneKind::mask && source(next(phi)) == source(compare->getOperand(0)))
            chain_.mask = &phi;
    return true;
}

// True if the loop stores only invariant values to invariant addresses.
bool LaneSlices::find_stores() {
    for (llvm::BasicBlock* const block : chain_.blocks)
        for (llvm::Instruction& instruction : *block) {
            if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
                if (store->isVolatile() || kind(store->getValueOperand()) != LaneKind::invariant ||
                    kind(store->getPointerOperand()) != LaneKind::invariant)
                    return false;
                stores_.push_back(store);
            } else if (instruction.mayHaveSideEffects() && kind(&instruction) == LaneKind::none &&
                       !llvm::isa<llvm::LoadInst>(instruction)) {
                return false;
            }
        }
    return true;
}

// Conditions of branches, stored values, and the values of the exit's phis.
std::vector<llvm::Value*> LaneSlices::roots() const {
    std::vector<Value*> found;
    for (const llvm::BasicBlock* const block : chain_.blocks) {
        const auto* const end = llvm::cast<llvm::BranchInst>(block->getTerminator());
        if (end->isConditional() && end != chain_.poll)
            found.push_back(end->getCondition());
    }
    for (llvm::StoreInst* const store : stores_)
        found.insert(found.end(), {store->getValueOperand(), store->getPointerOperand()});
    for (llvm::PHINode& phi : chain_.exit->phis())
        found.push_back(phi.getIncomingValueForBlock(chain_.leaves->getParent()));
    const std::vector<Value*> from_poll = poll_operands();
    found.insert(found.end(), from_poll.begin(), from_poll.end());
    return found;
}

// Needed after the loop.
std::vector<llvm::Value*> LaneSlices::poll_operands() const {
    std::vector<Value*> found;
    if (chain_.poll == nullptr)
        return found;
    for (const llvm::Instruction& instruction : *chain_.poll->getParent())
        for (const llvm::Use& use : instruction.operands()) {
            const LaneKind from = kind(source(use.get()));
            if (kind(&instruction) == LaneKind::none &&
                (from == LaneKind::uniform || from == LaneKind::invariant))
                found.push_back(use.get());
        }
    return found;
}

std::vector<llvm::Value*> LaneSlices::uniform_after() const {
    std::vector<Value*> found = poll_operands();
    for (llvm::PHINode& phi : chain_.exit->phis())
        found.push_back(phi.getIncomingValueForBlock(chain_.leaves->getParent()));
    std::erase_if(found, [&](Value* value) {
        const LaneKind from = kind(source(value));
        return (from != LaneKind::uniform && from != LaneKind::test) || counted(source(value));
    });
    return found;
}

llvm::Constant* LaneSlices::step(const llvm::PHINode& phi) const {
    if (kind(&phi) != LaneKind::uniform)
        return nullptr;
    llvm::APInt sum(phi.getType()->getIntegerBitWidth(), 0);
    const Value* from = source(next(phi));
    while (from != &phi) { // each block may add a constant
        const auto* const adds = llvm::dyn_cast<llvm::BinaryOperator>(from);
        const auto* const more =
            adds == nullptr ? nullptr : llvm::dyn_cast<llvm::ConstantInt>(adds->getOperand(1));
        if (more == nullptr || adds->getOpcode() != llvm::Instruction::Add || !in_loop(adds))
            return nullptr;
        sum += more->getValue();
        from = source(adds->getOperand(0));
    }
    return llvm::ConstantInt::get(phi.getContext(), sum);
}

void LaneSlices::find_counted() {
    for (const llvm::PHINode* const phi : needed_phis_)
        if (step(*phi) != nullptr)
            counted_.insert(phi);
    const auto is_known = [&](const llvm::Use& use) {
        const Value* const from = source(use.get());
        return counted_.contains(from) || kind(from) == LaneKind::invariant;
    };
    for (const llvm::BasicBlock* const block : chain_.blocks)
        for (const llvm::Instruction& instruction : *block)
            if (llvm::isa<llvm::BinaryOperator>(instruction) && needed(instruction) &&
                kind(&instruction) == LaneKind::uniform &&
                std::ranges::all_of(instruction.operands(), is_known))
                counted_.insert(&instruction);
}

// A lane's last iteration ends at the exiting block.
bool LaneSlices::is_known_after(const Value* value) const {
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (instruction == nullptr || !loop_->contains(instruction))
        return true;
    const auto end = std::ranges::find(chain_.blocks, chain_.leaves->getParent());
    return std::find(chain_.blocks.begin(), end + 1, instruction->getParent()) != end + 1;
}

bool LaneSlices::find_needed() {
    if (!find_stores())
        return false;
    std::vector<Value*> open = roots();
    while (!open.empty()) {
        Value* const value = source(open.back());
        open.pop_back();
        if (!in_loop(value))
            continue;
        auto* const instruction = llvm::cast<llvm::Instruction>(value);
        if (kind(value) == LaneKind::none)
            return false;
        if (!needed_.insert(instruction).second)
            continue;
        if (auto* const phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
            needed_phis_.push_back(phi);
            open.push_back(next(*phi));
        } else if (const Value* const all = splat_of(*instruction); all != nullptr) {
            open.push_back(const_cast<Value*>(all));
        } else {
            open.insert(open.end(), instruction->value_op_begin(), instruction->value_op_end());
        }
    }
    return reads_no_store() && std::ranges::none_of(chain_.exit->phis(), [&](llvm::PHINode& phi) {
               return unclear_.contains(source(phi.getIncomingValueForBlock(chain_.leaves->getParent())));
           });
}

// The uniform scalar of a splat, which needs no instruction of its own.
const llvm::Value* LaneSlices::splat_of(const llvm::Instruction& instruction) const {
    return llvm::isa<llvm::ShuffleVectorInst>(instruction) && kind(&instruction) == LaneKind::lanes
               ? llvm::getSplatValue(&instruction)
               : nullptr;
}

// Loads from the engine's state are hoisted above all stores.
bool LaneSlices::reads_no_store() const {
    return std::ranges::none_of(needed_, [&](const llvm::Instruction* load) {
        return llvm::isa<llvm::LoadInst>(load) &&
               std::ranges::any_of(stores_, [&](const llvm::StoreInst* store) {
                   return base_of(load->getOperand(0)) == base_of(store->getPointerOperand());
               });
    });
}

std::vector<MemLoad*> LaneSlices::loads() const {
    std::vector<MemLoad*> found;
    for (llvm::BasicBlock* const block : chain_.blocks)
        for (llvm::Instruction& instruction : *block)
            if (auto* const load = llvm::dyn_cast<MemLoad>(&instruction);
                load != nullptr && needed(instruction))
                found.push_back(load);
    return found;
}

size_t LaneSlices::size() const {
    return static_cast<size_t>(std::ranges::count_if(needed_, [&](const llvm::Instruction* at) {
        return kind(at) != LaneKind::invariant && kind(at) != LaneKind::mask &&
               !llvm::isa<llvm::BitCastInst>(at);
    }));
}

} // namespace visor::jit
