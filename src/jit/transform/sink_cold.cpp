#include "jit/transform/sink_cold.h"

#include "jit/analysis/branch_weights.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace visor::jit {

namespace {

// Limit on copies into one block.
constexpr size_t max_copies = 400;

class Sinking {
public:
    explicit Sinking(llvm::Function& function) : function_(function) {}

    void run() {
        find_cold_blocks();
        if (cold_.empty())
            return;
        find_hot_uses();
        for (llvm::BasicBlock* const block : order_)
            if (cold_.contains(block))
                sink_into(*block);
        for (llvm::Instruction* const original : originals_)
            if (llvm::isInstructionTriviallyDead(original))
                dead_.emplace_back(original);
        llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead_);
    }

private:
    // Blocks that only cold edges and cold blocks lead to.
    void find_cold_blocks() {
        const llvm::ReversePostOrderTraversal<llvm::Function*> blocks(&function_);
        order_.assign(blocks.begin(), blocks.end());
        for (llvm::BasicBlock* const block : order_) {
            bool cold = !block->isEntryBlock();
            for (const llvm::BasicBlock* const from : llvm::predecessors(block))
                cold = cold && (cold_.contains(from) || is_cold_edge(*from, *block));
            if (cold)
                cold_.insert(block);
        }
    }

    [[nodiscard]] static bool is_pure_vector(const llvm::Instruction& instruction) {
        return instruction.getType()->isVectorTy() &&
               (llvm::isa<llvm::BinaryOperator>(instruction) || llvm::isa<llvm::CastInst>(instruction) ||
                llvm::isa<llvm::CmpInst>(instruction) || llvm::isa<llvm::SelectInst>(instruction) ||
                llvm::isa<llvm::ShuffleVectorInst>(instruction) ||
                llvm::isa<llvm::InsertElementInst>(instruction)) &&
               !instruction.mayHaveSideEffects();
    }

    // Transitive operands of the hot paths.
    void find_hot_uses() {
        std::vector<const llvm::Instruction*> open;
        const auto add = [&](const llvm::Instruction* instruction) {
            if (used_on_hot_path_.insert(instruction).second)
                open.push_back(instruction);
        };
        for (llvm::BasicBlock* const block : order_)
            for (llvm::Instruction& instruction : *block)
                if (llvm::isa<llvm::PHINode>(instruction) ||
                    (!cold_.contains(block) && !is_pure_vector(instruction) &&
                     !llvm::isInstructionTriviallyDead(&instruction)))
                    add(&instruction);
        while (!open.empty()) {
            const llvm::Instruction* const instruction = open.back();
            open.pop_back();
            for (const llvm::Use& use : instruction->operands())
                if (const auto* const operand = llvm::dyn_cast<llvm::Instruction>(use.get());
                    operand != nullptr && !cold_.contains(operand->getParent()))
                    add(operand);
        }
    }

    [[nodiscard]] bool is_movable(const llvm::Value* value) const {
        const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
        return instruction != nullptr && !cold_.contains(instruction->getParent()) &&
               !used_on_hot_path_.contains(instruction) && is_pure_vector(*instruction);
    }

    // Copies the operands of the block's instructions before their first user.
    void sink_into(llvm::BasicBlock& block) {
        std::unordered_map<llvm::Instruction*, llvm::Instruction*> copies;
        std::vector<llvm::Instruction*> instructions;
        for (llvm::Instruction& instruction : block)
            if (!llvm::isa<llvm::PHINode>(instruction))
                instructions.push_back(&instruction);
        for (llvm::Instruction* const instruction : instructions)
            for (llvm::Use& use : instruction->operands())
                if (is_movable(use.get()))
                    use.set(copy_of(*llvm::cast<llvm::Instruction>(use.get()), *instruction, copies));
    }

    // Operands first, iteratively. One copy per block: the first user precedes the others.
    llvm::Instruction* copy_of(llvm::Instruction& root, llvm::Instruction& user,
                               std::unordered_map<llvm::Instruction*, llvm::Instruction*>& copies) {
        std::vector<llvm::Instruction*> open{&root};
        while (!open.empty()) {
            llvm::Instruction* const at = open.back();
            if (copies.contains(at)) {
                open.pop_back();
                continue;
            }
            bool ready = true;
            for (const llvm::Use& use : at->operands())
                if (is_movable(use.get()) && copies.size() < max_copies) {
                    auto* const operand = llvm::cast<llvm::Instruction>(use.get());
                    if (!copies.contains(operand)) {
                        open.push_back(operand);
                        ready = false;
                    }
                }
            if (!ready)
                continue;
            open.pop_back();
            llvm::Instruction* const copy = at->clone();
            for (llvm::Use& use : copy->operands())
                if (auto* const operand = llvm::dyn_cast<llvm::Instruction>(use.get()))
                    if (const auto found = copies.find(operand); found != copies.end())
                        use.set(found->second);
            copy->insertBefore(user.getIterator());
            copies.emplace(at, copy);
            originals_.insert(at);
        }
        return copies.at(&root);
    }

    llvm::Function& function_;
    std::vector<llvm::BasicBlock*> order_;
    std::unordered_set<const llvm::BasicBlock*> cold_;
    std::unordered_set<const llvm::Instruction*> used_on_hot_path_;
    std::unordered_set<llvm::Instruction*> originals_;
    llvm::SmallVector<llvm::WeakTrackingVH, 16> dead_;
};

} // namespace

void sink_into_cold_blocks(llvm::Function& function) {
    Sinking(function).run();
}

} // namespace visor::jit
