#include "jit/memory/transpose_rows.h"

#include "jit/analysis/lane_slice.h"
#include "jit/transform/strip_mine_safepoints.h"

#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>
#include <set>

namespace visor::jit {

namespace {

using llvm::BasicBlock;
using llvm::Value;

// The iteration can begin once more up to the walk's question.
bool begins_quietly(const LaneRow& walk, const BasicBlock& header) {
    for (const llvm::Instruction& code : header) {
        if (&code == walk.admits)
            return true;
        if (code.mayHaveSideEffects())
            return false;
    }
    return false;
}

// What is unlikely writes only where the walk is refused, or where somebody asked whether the thread may go
// on: neither is unrolled.
bool writes_nowhere_else(const LaneRow& walk, const RowLoop& around) {
    const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(around.header->getTerminator());
    if (branch == nullptr || !branch->isConditional() || branch->getCondition() != walk.admits)
        return false;
    BasicBlock* const refused = branch->getSuccessor(1);
    const llvm::DominatorTree tree(*around.header->getParent());
    return refused->getSinglePredecessor() != nullptr &&
           std::ranges::all_of(around.cold, [&](const BasicBlock* cold) {
               const BasicBlock* const from = cold->getSinglePredecessor();
               return tree.dominates(refused, cold) ||
                      (from != nullptr && from->getTerminator()->getMetadata(poll_mark) != nullptr);
           });
}

class Reading {
public:
    Reading(const LaneRow& walk, const RowLoop& around, UnrolledLoop& written)
        : walk_(walk), around_(around), header_(*around.header), written_(written),
          ir_(header_.getContext()) {}

    // Turns whose places have no form, which no longer look like the loop's, stay as they are.
    void read() {
        const auto known = std::ranges::distance(header_.phis()); // forms may add some, for the loop alone
        LaneAffine affine(*header_.getParent(), 0);
        std::vector<LaneRow> iterations;
        for (const auto& values : written_.iterations) {
            LaneRow iteration{.load = llvm::cast<llvm::CallInst>(values.at(walk_.load)),
                              .admits = llvm::cast<llvm::CallInst>(values.at(walk_.admits))};
            iteration.form = affine.form(iteration.places(), 0, iteration.admits);
            iterations.push_back(std::move(iteration));
        }
        const LaneRow& first = iterations.front();
        if (!first.form || std::ranges::distance(header_.phis()) != known)
            return; // what is unrolled does the same
        ir_.SetInsertPoint(first.admits);
        go_on_if(lines_are_inside(ir_, first), 0, *first.admits);
        begin_ = first_line(ir_, first);
        const std::vector<Value*> columns = columns_of(first);
        std::vector<uint32_t> taken{0};
        for (uint32_t k = 1; k < line_units; ++k)
            if (iterations[k].form && iterations[k].form->steps == first.form->steps) {
                go_on_if(is_next(first, iterations[k], k), k, *iterations[k].admits);
                taken.push_back(k);
            }
        for (const uint32_t k : taken)
            take(iterations[k], *columns[k]);
    }

    void combine_shuffles() {
        for (BasicBlock* const block : written_.blocks)
            llvm::ConstantFoldTerminator(block);
        std::set<const BasicBlock*> reached;
        for (const BasicBlock* const block : llvm::depth_first(written_.begin))
            reached.insert(block);
        std::vector<BasicBlock*> dead;
        std::vector<BasicBlock*> alive;
        for (BasicBlock* const block : written_.blocks)
            (reached.contains(block) ? alive : dead).push_back(block);
        llvm::DeleteDeadBlocks(dead);
        if (begin_ != nullptr && walk_.row_step())
            ask_for_next({alive.begin(), alive.end()});
        for (BasicBlock* const block : alive)
            llvm::MergeBlockIntoPredecessor(block);
    }

private:
    Value* number(int64_t value) { return ir_.getInt64(static_cast<uint64_t>(value)); }

    // i1: TURN looks so many units behind the first.
    Value* is_next(const LaneRow& first, const LaneRow& iteration, uint32_t units) {
        ir_.SetInsertPoint(iteration.admits);
        Value* const expected = ir_.CreateAdd(first.form->base, number(units * unit_bytes));
        return ir_.CreateAnd(ir_.CreateICmpEQ(iteration.form->base, expected),
                             conditions_of(ir_, *iteration.form));
    }

    // Else to the loop, which goes on with this iteration.
    void go_on_if(Value* condition, uint32_t iteration, llvm::CallInst& at) {
        BasicBlock* const asks = at.getParent();
        BasicBlock* const goes_on = asks->splitBasicBlock(at.getIterator(), "line");
        written_.blocks.push_back(goes_on);
        for (llvm::PHINode& phi : header_.phis())
            phi.addIncoming(written_.iterations[iteration].at(&phi), asks);
        asks->getTerminator()->eraseFromParent();
        ir_.SetInsertPoint(asks);
        ir_.CreateCondBr(condition, goes_on, &header_,
                         llvm::MDBuilder(ir_.getContext()).createBranchWeights(1000, 1));
        ir_.SetInsertPoint(&at);
    }

    void take(const LaneRow& iteration, Value& column) {
        ir_.SetInsertPoint(iteration.load);
        iteration.load->replaceAllUsesWith(ir_.CreateBitCast(&column, iteration.load->getType()));
        iteration.load->eraseFromParent();
        iteration.admits->replaceAllUsesWith(ir_.getTrue());
        iteration.admits->eraseFromParent();
    }

    // Behind the iterations, where both ways meet. Who comes from the loop asks for nothing that there is.
    void ask_for_next(const std::set<const BasicBlock*>& written) {
        for (BasicBlock* const from : llvm::predecessors(written_.exit))
            if (!written.contains(from) && !written_.iterations.front().contains(from) &&
                std::ranges::find(around_.latches, from) == around_.latches.end())
                return; // others come there, too: perhaps in each iteration of a loop of theirs
        ir_.SetInsertPoint(written_.exit, written_.exit->begin());
        llvm::PHINode* const begin = ir_.CreatePHI(ir_.getPtrTy(), 2);
        for (BasicBlock* const from : llvm::predecessors(written_.exit))
            begin->addIncoming(
                written.contains(from) ? begin_ : llvm::ConstantPointerNull::get(ir_.getPtrTy()), from);
        ir_.SetInsertPoint(written_.exit, written_.exit->getFirstInsertionPt());
        for (const int64_t step : walk_.form->steps)
            prefetch_line(ir_, ir_.CreateGEP(ir_.getInt8Ty(), begin, number(walk_.next_line() + step)));
    }

    // What each iteration loads.
    std::vector<Value*> columns_of(const LaneRow& first) {
        auto* const line = llvm::FixedVectorType::get(ir_.getInt32Ty(), line_units);
        std::vector<Value*> columns(line_units);
        for (uint32_t lane = 0; lane < first.lanes(); lane += line_units) {
            Rows rows{};
            for (uint32_t k = 0; k < line_units; ++k) {
                const int64_t step = first.form->steps[lane + k];
                rows[k] = ir_.CreateAlignedLoad(line, ir_.CreateGEP(ir_.getInt8Ty(), begin_, number(step)),
                                                llvm::Align(1));
            }
            const Rows turned = transposed(ir_, rows);
            for (uint32_t k = 0; k < line_units; ++k)
                columns[k] = lane == 0 ? turned[k] : llvm::concatenateVectors(ir_, {columns[k], turned[k]});
        }
        return columns;
    }

    const LaneRow& walk_;
    const RowLoop& around_;
    BasicBlock& header_;
    UnrolledLoop& written_;
    llvm::IRBuilder<> ir_;
    Value* begin_ = nullptr; // of the first lane's line
};

} // namespace

bool transpose_unrolled_rows(const LaneRow& walk, const RowLoop& around) {
    const uint32_t lanes = walk.lanes();
    BasicBlock& header = *around.header;
    if (walk.admits == nullptr || !walk.form || (lanes != line_units && lanes != 2 * line_units) ||
        !begins_quietly(walk, header) || !writes_nowhere_else(walk, around))
        return false;
    std::optional<UnrolledLoop> written = unroll(header, line_units);
    if (!written)
        return false;
    Reading reading(walk, around, *written);
    reading.read();
    reading.combine_shuffles();
    return true;
}

} // namespace visor::jit
