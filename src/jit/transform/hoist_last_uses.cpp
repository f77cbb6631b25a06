#include "jit/transform/hoist_last_uses.h"

#include "jit/analysis/branch_weights.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <unordered_map>
#include <vector>

namespace visor::jit {

namespace {

// Limit on the hot path from a dominator to a block.
constexpr int max_path_blocks = 8;

class Hoisting {
public:
    explicit Hoisting(llvm::Function& function)
        : function_(function), tree_(function), post_dominators_(function), loops_(tree_) {}

    void run() {
        const llvm::ReversePostOrderTraversal<llvm::Function*> blocks(&function_);
        for (llvm::BasicBlock* const block : blocks)
            find_chain(*block);
        for (llvm::BasicBlock* const block : blocks)
            for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block))
                if (is_pure(instruction))
                    hoist(instruction);
    }

private:
    [[nodiscard]] static bool is_pure(const llvm::Instruction& instruction) {
        if (!instruction.getType()->isVectorTy())
            return false;
        const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        return llvm::isa<llvm::UnaryOperator>(instruction) || llvm::isa<llvm::CastInst>(instruction) ||
               (llvm::isa<llvm::BinaryOperator>(instruction) && !instruction.isIntDivRem()) ||
               (call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::fma);
    }

    // Blocks of equal frequency, ignoring cold paths, form a chain.
    void find_chain(llvm::BasicBlock& block) {
        const auto* const node = tree_.getNode(&block);
        const auto* const above = node == nullptr ? nullptr : node->getIDom();
        const bool same =
            above != nullptr && loops_.getLoopFor(&block) == loops_.getLoopFor(above->getBlock()) &&
            (leads_to(*above->getBlock(), block) || post_dominators_.dominates(&block, above->getBlock()));
        chain_[&block] = same ? chain_[above->getBlock()] : &block;
    }

    [[nodiscard]] static bool leads_to(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
        const llvm::BasicBlock* at = &from;
        for (int steps = 0; steps < max_path_blocks && at != &to; ++steps) {
            const llvm::Instruction* const end = at->getTerminator();
            const llvm::BasicBlock* hot = nullptr;
            for (unsigned k = 0; k < end->getNumSuccessors(); ++k)
                if (!is_cold_edge(*at, *end->getSuccessor(k))) {
                    if (hot != nullptr)
                        return false;
                    hot = end->getSuccessor(k);
                }
            if (hot == nullptr)
                return false;
            at = hot;
        }
        return at == &to;
    }

    // Moves it after its last operand if that ends the live range of one.
    void hoist(llvm::Instruction& instruction) {
        llvm::Instruction* last = nullptr;
        bool ends_live_range = false;
        for (const llvm::Use& use : instruction.operands()) {
            auto* const operand = llvm::dyn_cast<llvm::Instruction>(use.get());
            if (operand == nullptr)
                continue;
            ends_live_range = ends_live_range || (operand->hasOneUse() && operand->getType()->isVectorTy() &&
                                                  operand->getType()->getPrimitiveSizeInBits() >=
                                                      instruction.getType()->getPrimitiveSizeInBits());
            if (last == nullptr || tree_.dominates(last, operand))
                last = operand;
        }
        if (last == nullptr || !ends_live_range || last->getParent() == instruction.getParent() ||
            last->isTerminator() || chain_[last->getParent()] != chain_[instruction.getParent()])
            return;
        if (llvm::isa<llvm::PHINode>(last))
            instruction.moveBefore(*last->getParent(), last->getParent()->getFirstInsertionPt());
        else
            instruction.moveAfter(last);
    }

    llvm::Function& function_;
    llvm::DominatorTree tree_;
    llvm::PostDominatorTree post_dominators_;
    llvm::LoopInfo loops_;
    std::unordered_map<const llvm::BasicBlock*, const llvm::BasicBlock*> chain_;
};

} // namespace

void hoist_last_uses(llvm::Function& function) {
    Hoisting(function).run();
}

} // namespace visor::jit
