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

// A hot path between a block and the one that dominates it has no more blocks than this.
constexpr int longest_way = 8;

class Early {
public:
    explicit Early(llvm::Function& function)
        : function_(function), tree_(function), after_(function), loops_(tree_) {}

    void run() {
        const llvm::ReversePostOrderTraversal<llvm::Function*> blocks(&function_);
        for (llvm::BasicBlock* const block : blocks)
            find_stretch(*block);
        for (llvm::BasicBlock* const block : blocks)
            for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block))
                if (is_pure(instruction))
                    move_up(instruction);
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

    // Blocks that run as often as each other, but for cold paths, are one stream.
    void find_stretch(llvm::BasicBlock& block) {
        const auto* const node = tree_.getNode(&block);
        const auto* const above = node == nullptr ? nullptr : node->getIDom();
        const bool same =
            above != nullptr && loops_.getLoopFor(&block) == loops_.getLoopFor(above->getBlock()) &&
            (leads_to(*above->getBlock(), block) || after_.dominates(&block, above->getBlock()));
        stretch_[&block] = same ? stretch_[above->getBlock()] : &block;
    }

    [[nodiscard]] static bool leads_to(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
        const llvm::BasicBlock* at = &from;
        for (int steps = 0; steps < longest_way && at != &to; ++steps) {
            const llvm::Instruction* const end = at->getTerminator();
            const llvm::BasicBlock* likely = nullptr;
            for (unsigned k = 0; k < end->getNumSuccessors(); ++k)
                if (!is_cold_edge(*at, *end->getSuccessor(k))) {
                    if (likely != nullptr)
                        return false;
                    likely = end->getSuccessor(k);
                }
            if (likely == nullptr)
                return false;
            at = likely;
        }
        return at == &to;
    }

    // Behind the last of its operands, if one of them is wanted for nothing else.
    void move_up(llvm::Instruction& instruction) {
        llvm::Instruction* last = nullptr;
        bool ends_one = false;
        for (const llvm::Use& use : instruction.operands()) {
            auto* const operand = llvm::dyn_cast<llvm::Instruction>(use.get());
            if (operand == nullptr)
                continue;
            ends_one = ends_one || (operand->hasOneUse() && operand->getType()->isVectorTy() &&
                                    operand->getType()->getPrimitiveSizeInBits() >=
                                        instruction.getType()->getPrimitiveSizeInBits());
            if (last == nullptr || tree_.dominates(last, operand))
                last = operand;
        }
        if (last == nullptr || !ends_one || last->getParent() == instruction.getParent() ||
            last->isTerminator() || stretch_[last->getParent()] != stretch_[instruction.getParent()])
            return;
        if (llvm::isa<llvm::PHINode>(last))
            instruction.moveBefore(*last->getParent(), last->getParent()->getFirstInsertionPt());
        else
            instruction.moveAfter(last);
    }

    llvm::Function& function_;
    llvm::DominatorTree tree_;
    llvm::PostDominatorTree after_;
    llvm::LoopInfo loops_;
    std::unordered_map<const llvm::BasicBlock*, const llvm::BasicBlock*> stretch_;
};

} // namespace

void hoist_last_uses(llvm::Function& function) {
    Early(function).run();
}

} // namespace visor::jit
