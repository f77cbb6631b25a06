#include "jit/memory/transpose_rows.h"

#include "jit/analysis/lane_slice.h"
#include "jit/ir/safepoint.h"
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

// The iteration can restart before the row's range check.
bool is_pure_until_check(const LaneRow& row, const BasicBlock& header) {
    for (const llvm::Instruction& code : header) {
        if (&code == row.check)
            return true;
        if (code.mayHaveSideEffects())
            return false;
    }
    return false;
}

// Cold paths write only after a failed range check or after the poll; neither is unrolled.
bool writes_only_if_refused(const LaneRow& row, const RowLoop& row_loop) {
    const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(row_loop.header->getTerminator());
    if (branch == nullptr || !branch->isConditional() || branch->getCondition() != row.check)
        return false;
    BasicBlock* const refused = branch->getSuccessor(1);
    const llvm::DominatorTree tree(*row_loop.header->getParent());
    return refused->getSinglePredecessor() != nullptr &&
           std::ranges::all_of(row_loop.cold, [&](const BasicBlock* cold) {
               const BasicBlock* const from = cold->getSinglePredecessor();
               return tree.dominates(refused, cold) ||
                      (from != nullptr && llvm::isa<SafepointPoll>(from->getTerminator()));
           });
}

class RowTransposition {
public:
    RowTransposition(const LaneRow& row, const RowLoop& row_loop, UnrolledLoop& unrolled)
        : row_(row), row_loop_(row_loop), header_(*row_loop.header), unrolled_(unrolled),
          ir_(header_.getContext()) {}

    // Iterations without a form, which differ from the loop's, stay as they are.
    void read() {
        const auto phi_count =
            std::ranges::distance(header_.phis()); // forms may add phis, for the original loop
        LaneAffine affine(*header_.getParent(), 0);
        std::vector<LaneRow> iterations;
        for (const auto& values : unrolled_.iterations) {
            LaneRow iteration{.load = llvm::cast<MemLoad>(values.at(row_.load)),
                              .check = llvm::cast<RangeCheck>(values.at(row_.check))};
            iteration.form = affine.form(iteration.addresses(), 0, iteration.check);
            iterations.push_back(std::move(iteration));
        }
        const LaneRow& first = iterations.front();
        if (!first.form || std::ranges::distance(header_.phis()) != phi_count)
            return; // the unrolled code is equivalent
        ir_.SetInsertPoint(first.check);
        continue_if(lines_are_inside(ir_, first), 0, *first.check);
        begin_ = first_line(ir_, first);
        const std::vector<Value*> columns = columns_of(first);
        std::vector<uint32_t> served{0};
        for (uint32_t k = 1; k < line_units; ++k)
            if (iterations[k].form && iterations[k].form->steps == first.form->steps) {
                continue_if(is_next(first, iterations[k], k), k, *iterations[k].check);
                served.push_back(k);
            }
        for (const uint32_t k : served)
            replace_load(iterations[k], *columns[k]);
    }

    void clean_up() {
        for (BasicBlock* const block : unrolled_.blocks)
            llvm::ConstantFoldTerminator(block);
        std::set<const BasicBlock*> reached;
        for (const BasicBlock* const block : llvm::depth_first(unrolled_.begin))
            reached.insert(block);
        std::vector<BasicBlock*> dead;
        std::vector<BasicBlock*> alive;
        for (BasicBlock* const block : unrolled_.blocks)
            (reached.contains(block) ? alive : dead).push_back(block);
        llvm::DeleteDeadBlocks(dead);
        if (begin_ != nullptr && row_.row_step())
            prefetch_next_lines({alive.begin(), alive.end()});
        for (BasicBlock* const block : alive)
            llvm::MergeBlockIntoPredecessor(block);
    }

private:
    Value* number(int64_t value) { return ir_.getInt64(static_cast<uint64_t>(value)); }

    // i1: ITERATION's lanes are `units` units after the first one's.
    Value* is_next(const LaneRow& first, const LaneRow& iteration, uint32_t units) {
        ir_.SetInsertPoint(iteration.check);
        Value* const expected = ir_.CreateAdd(first.form->base, number(units * unit_bytes));
        return ir_.CreateAnd(ir_.CreateICmpEQ(iteration.form->base, expected),
                             conditions_of(ir_, *iteration.form));
    }

    // Else branches to the original loop, which continues with this iteration.
    void continue_if(Value* condition, uint32_t iteration, llvm::Instruction& at) {
        BasicBlock* const check_block = at.getParent();
        BasicBlock* const continued = check_block->splitBasicBlock(at.getIterator(), "line");
        unrolled_.blocks.push_back(continued);
        for (llvm::PHINode& phi : header_.phis())
            phi.addIncoming(unrolled_.iterations[iteration].at(&phi), check_block);
        check_block->getTerminator()->eraseFromParent();
        ir_.SetInsertPoint(check_block);
        ir_.CreateCondBr(condition, continued, &header_,
                         llvm::MDBuilder(ir_.getContext()).createBranchWeights(1000, 1));
        ir_.SetInsertPoint(&at);
    }

    void replace_load(const LaneRow& iteration, Value& column) {
        ir_.SetInsertPoint(iteration.load);
        iteration.load->replaceAllUsesWith(ir_.CreateBitCast(&column, iteration.load->getType()));
        iteration.load->eraseFromParent();
        iteration.check->replaceAllUsesWith(ir_.getTrue());
        iteration.check->eraseFromParent();
    }

    // In the exit, where both versions join. On the path from the loop the address is null, which has no
    // effect.
    void prefetch_next_lines(const std::set<const BasicBlock*>& unrolled) {
        for (BasicBlock* const from : llvm::predecessors(unrolled_.exit))
            if (!unrolled.contains(from) && !unrolled_.iterations.front().contains(from) &&
                std::ranges::find(row_loop_.latches, from) == row_loop_.latches.end())
                return; // other predecessors, perhaps of an outer loop's iterations
        ir_.SetInsertPoint(unrolled_.exit, unrolled_.exit->begin());
        llvm::PHINode* const begin = ir_.CreatePHI(ir_.getPtrTy(), 2);
        for (BasicBlock* const from : llvm::predecessors(unrolled_.exit))
            begin->addIncoming(
                unrolled.contains(from) ? begin_ : llvm::ConstantPointerNull::get(ir_.getPtrTy()), from);
        ir_.SetInsertPoint(unrolled_.exit, unrolled_.exit->getFirstInsertionPt());
        for (const int64_t step : row_.form->steps)
            prefetch_line(ir_, ir_.CreateGEP(ir_.getInt8Ty(), begin, number(row_.next_line() + step)));
    }

    // The values of each iteration's load.
    std::vector<Value*> columns_of(const LaneRow& first) {
        auto* const line = llvm::FixedVectorType::get(ir_.getInt32Ty(), line_units);
        std::vector<Value*> columns(line_units);
        for (uint32_t lane = 0; lane < first.lanes(); lane += line_units) {
            std::vector<Value*> rows(line_units);
            for (uint32_t k = 0; k < line_units; ++k) {
                const int64_t step = first.form->steps[lane + k];
                rows[k] = ir_.CreateAlignedLoad(line, ir_.CreateGEP(ir_.getInt8Ty(), begin_, number(step)),
                                                llvm::Align(1));
            }
            const std::vector<Value*> transposed_rows = transposed(ir_, rows);
            for (uint32_t k = 0; k < line_units; ++k)
                columns[k] = lane == 0 ? transposed_rows[k]
                                       : llvm::concatenateVectors(ir_, {columns[k], transposed_rows[k]});
        }
        return columns;
    }

    const LaneRow& row_;
    const RowLoop& row_loop_;
    BasicBlock& header_;
    UnrolledLoop& unrolled_;
    llvm::IRBuilder<> ir_;
    Value* begin_ = nullptr; // lane 0's line
};

} // namespace

bool transpose_unrolled_rows(const LaneRow& row, const RowLoop& row_loop) {
    const uint32_t lanes = row.lanes();
    BasicBlock& header = *row_loop.header;
    if (row.check == nullptr || !row.form || (lanes != line_units && lanes != 2 * line_units) ||
        !is_pure_until_check(row, header) || !writes_only_if_refused(row, row_loop))
        return false;
    std::optional<UnrolledLoop> unrolled = unroll(header, line_units);
    if (!unrolled)
        return false;
    RowTransposition transposition(row, row_loop, *unrolled);
    transposition.read();
    transposition.clean_up();
    return true;
}

} // namespace visor::jit
