#include "jit/lane_loop.h"

#include "jit/affine.h"
#include "jit/lane_slice.h"
#include "jit/stand_in.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <algorithm>

namespace visor::jit {

namespace {

using llvm::Value;

// A lane that makes more turns than these gives up: others may be waiting, and the caller, too.
constexpr uint32_t most_turns = 1U << 16U;
// Worth it when there is a load from an unknown place for this many instructions by lane.
constexpr size_t instructions_by_load = 16;
// Each loop is there twice afterwards.
constexpr size_t most_loops = 8;

// Builds the loop in which each lane runs by itself.
class Builder {
public:
    Builder(llvm::Function& function, llvm::Loop& loop, const LaneSlices& slices, uint32_t simd)
        : function_(function), loop_(loop), chain_(slices.chain()), slices_(slices), simd_(simd),
          ir_(function.getContext()) {}

    void build() {
        make_blocks();
        ir_.SetInsertPoint(before_);
        llvm::BranchInst* const starts = ir_.CreateBr(lane_);
        Invariants invariants(slices_, *starts, function_.getEntryBlock());
        invariants_ = &invariants;
        for (llvm::PHINode& phi : chain_.exit->phis())
            outs_.push_back(make_out(phi));
        start_lane();
        run_lane();
        rest_lane();
        end_lane();
        finish();
        starts->eraseFromParent();
        ir_.SetInsertPoint(before_);
        ir_.CreateCondBr(invariants.refuses(), together_, lane_, seldom(true));
        invariants_ = nullptr;
    }

private:
    // What the loop's values are outside.
    struct Out {
        llvm::PHINode* phi = nullptr;    // behind the loop
        Value* from = nullptr;           // in the loop
        Value* room = nullptr;           // of vectors: memory
        llvm::PHINode* so_far = nullptr; // else: of the lanes that have run
        std::vector<std::pair<Value*, llvm::BasicBlock*>> next;
    };

    llvm::BasicBlock* block(const char* name) {
        return llvm::BasicBlock::Create(function_.getContext(), name, &function_, loop_.getHeader());
    }
    [[nodiscard]] llvm::MDNode* seldom(bool first) {
        llvm::MDBuilder weights(function_.getContext());
        return first ? weights.createBranchWeights(1, 1000) : weights.createBranchWeights(1000, 1);
    }

    void make_blocks() {
        llvm::BasicBlock* const preheader = loop_.getLoopPreheader();
        before_ = block("lanes");
        lane_ = block("lane");
        runs_ = block("lane.runs");
        turn_ = block("lane.turn");
        left_ = block("lane.left");
        rests_ = block("lane.rests");
        next_ = block("lane.next");
        all_ = block("lanes.all");
        gives_up_ = block("lanes.give.up");
        together_ = block("lanes.together");
        loop_.getHeader()->replacePhiUsesWith(preheader, together_);
        llvm::IRBuilder<> entry(&*function_.getEntryBlock().getFirstInsertionPt());
        gave_up_ = entry.CreateAlloca(entry.getInt1Ty());
        llvm::IRBuilder<>(function_.getEntryBlock().getTerminator()).CreateStore(ir_.getFalse(), gave_up_);
        preheader->getTerminator()->eraseFromParent();
        ir_.SetInsertPoint(preheader);
        ir_.CreateCondBr(ir_.CreateLoad(ir_.getInt1Ty(), gave_up_), together_, before_, seldom(true));
        ir_.SetInsertPoint(gives_up_);
        ir_.CreateStore(ir_.getTrue(), gave_up_);
        ir_.CreateBr(together_);
        ir_.SetInsertPoint(together_);
        ir_.CreateBr(loop_.getHeader());
    }

    Out make_out(llvm::PHINode& phi) {
        Out out{.phi = &phi,
                .from = phi.getIncomingValueForBlock(chain_.leaves->getParent()),
                .room = nullptr,
                .so_far = nullptr,
                .next = {}};
        if (slices_.kind(out.from) == LaneKind::lanes && out.from->getType()->getScalarSizeInBits() != 1) {
            out.room = invariants_->reserve(out.from->getType());
        }
        return out;
    }
    [[nodiscard]] bool by_bits(const Out& out) const {
        return slices_.kind(out.from) == LaneKind::mask || slices_.kind(out.from) == LaneKind::lanes;
    }

    // The next lane: does it run?
    void start_lane() {
        ir_.SetInsertPoint(lane_);
        number_ = ir_.CreatePHI(ir_.getInt32Ty(), 2);
        number_->addIncoming(ir_.getInt32(0), before_);
        most_ = ir_.CreatePHI(ir_.getInt32Ty(), 2); // turns of the lane that made most
        most_->addIncoming(ir_.getInt32(0), before_);
        for (Out& out : outs_)
            if (out.room == nullptr) {
                llvm::Type* const type = by_bits(out) ? ir_.getInt32Ty() : out.from->getType();
                out.so_far = ir_.CreatePHI(type, 2);
                out.so_far->addIncoming(by_bits(out) ? llvm::ConstantInt::get(type, 0)
                                                     : static_cast<Value*>(llvm::PoisonValue::get(type)),
                                        before_);
            }
        if (chain_.mask == nullptr) {
            ir_.CreateBr(runs_);
            return;
        }
        Value* const on = invariants_->bit(ir_, chain_.mask->getIncomingValueForBlock(together_), number_);
        ir_.CreateCondBr(on, runs_, rests_);
    }

    void run_lane() {
        ir_.SetInsertPoint(runs_);
        LaneCode code(slices_, *invariants_, ir_, number_, gives_up_);
        begin_turn(code);
        for (llvm::BasicBlock* const at : chain_.blocks) {
            code.emit(*at);
            leave_block(code, *at);
        }
        end_turn(code);
        ir_.SetInsertPoint(left_);
        if (chain_.poll != nullptr) { // asked once, when the lane is through
            Value* const asks = code.now(*chain_.poll);
            llvm::BasicBlock* const on = block("lane.on");
            ir_.CreateCondBr(asks, gives_up_, on, seldom(true));
            ir_.SetInsertPoint(on);
        }
        Value* const turns = ir_.CreateAdd(turns_, ir_.getInt32(1));
        Value* const more = ir_.CreateICmpUGT(turns, most_);
        most_so_far_ = ir_.CreateSelect(more, turns, most_);
        for (Out& out : outs_)
            put_out(out, code, more);
        ran_ = ir_.GetInsertBlock();
        ir_.CreateBr(next_);
    }

    void begin_turn(LaneCode& code) {
        std::vector<Value*> first;
        for (llvm::PHINode* const phi : slices_.needed_phis())
            first.push_back(phi == chain_.mask
                                ? ir_.getTrue()
                                : code.at(phi->getIncomingValueForBlock(together_), slices_.kind(phi)));
        ir_.CreateBr(turn_);
        ir_.SetInsertPoint(turn_);
        turns_ = ir_.CreatePHI(ir_.getInt32Ty(), 2);
        turns_->addIncoming(ir_.getInt32(0), runs_);
        std::vector<std::pair<llvm::PHINode*, Value*>> stepped;
        for (size_t k = 0; k < first.size(); ++k) {
            llvm::PHINode* const phi = slices_.needed_phis()[k];
            if (phi == chain_.mask) {
                code.set(phi, ir_.getTrue());
            } else if (step_of(*phi) != nullptr) {
                stepped.emplace_back(phi, first[k]);
            } else {
                llvm::PHINode* const own = ir_.CreatePHI(first[k]->getType(), 2);
                own->addIncoming(first[k], runs_);
                carried_.emplace_back(phi, own);
                code.set(phi, own);
            }
        }
        for (const auto& [phi, start] : stepped)
            code.set(phi, ir_.CreateAdd(start, ir_.CreateMul(ir_.CreateZExtOrTrunc(turns_, phi->getType()),
                                                             step_of(*phi))));
    }

    void end_turn(LaneCode& code) {
        llvm::BasicBlock* const again = block("lane.again");
        ir_.CreateCondBr(ir_.CreateICmpEQ(turns_, ir_.getInt32(most_turns)), gives_up_, again, seldom(true));
        ir_.SetInsertPoint(again);
        turns_->addIncoming(ir_.CreateAdd(turns_, ir_.getInt32(1)), again);
        for (const auto& [phi, own] : carried_)
            own->addIncoming(code.at(phi->getIncomingValueForBlock(loop_.getLoopLatch()), slices_.kind(phi)),
                             again);
        ir_.CreateBr(turn_);
    }

    // What a number that all lanes share, such as the count of instructions, grows by in each turn: no lane
    // has to carry it along.
    [[nodiscard]] llvm::ConstantInt* step_of(const llvm::PHINode& phi) const {
        const auto* const sum = llvm::dyn_cast<llvm::BinaryOperator>(
            slices_.source(phi.getIncomingValueForBlock(loop_.getLoopLatch())));
        const bool grows = slices_.kind(&phi) == LaneKind::uniform && sum != nullptr &&
                           sum->getOpcode() == llvm::Instruction::Add &&
                           slices_.source(sum->getOperand(0)) == &phi;
        return grows ? llvm::dyn_cast<llvm::ConstantInt>(sum->getOperand(1)) : nullptr;
    }

    void leave_block(LaneCode& code, llvm::BasicBlock& from) {
        auto* const end = llvm::cast<llvm::BranchInst>(from.getTerminator());
        if (end->isUnconditional() || end->getMetadata(poll_mark) != nullptr)
            return;
        llvm::BasicBlock* const on = block("lane.on");
        const bool on_true = chain_.stays(*end) == end->getSuccessor(0);
        Value* const holds = code.test(end->getCondition());
        llvm::BasicBlock* const off = end == chain_.leaves ? left_ : gives_up_;
        llvm::MDNode* const weights = off == gives_up_ ? seldom(!on_true) : nullptr;
        ir_.CreateCondBr(holds, on_true ? on : off, on_true ? off : on, weights);
        ir_.SetInsertPoint(on);
    }

    // A lane that is off looks at nothing, and keeps what the loop keeps of it.
    void rest_lane() {
        ir_.SetInsertPoint(rests_);
        if (chain_.mask == nullptr) {
            ir_.CreateUnreachable();
            return;
        }
        LaneCode code(slices_, *invariants_, ir_, number_, gives_up_);
        code.rest();
        for (llvm::PHINode* const phi : slices_.needed_phis())
            code.set(phi, phi == chain_.mask
                              ? static_cast<Value*>(ir_.getFalse())
                              : code.at(phi->getIncomingValueForBlock(together_), slices_.kind(phi)));
        for (llvm::BasicBlock* const at : chain_.blocks) {
            code.emit(*at);
            if (at == chain_.leaves->getParent())
                break;
        }
        for (Out& out : outs_)
            put_out(out, code, nullptr);
        ir_.CreateBr(next_);
    }

    // `more`: this lane's scalars are those of the loop; null: they are not.
    void put_out(Out& out, LaneCode& code, Value* more) {
        Value* next = nullptr;
        if (out.room != nullptr) {
            Value* const own = code.at(out.from, LaneKind::lanes);
            ir_.CreateStore(
                own, ir_.CreateGEP(own->getType(), out.room, ir_.CreateZExt(number_, ir_.getInt64Ty())));
            return;
        }
        if (by_bits(out)) {
            Value* const bit = ir_.CreateZExt(code.at(out.from, slices_.kind(out.from)), ir_.getInt32Ty());
            next = ir_.CreateOr(out.so_far, ir_.CreateShl(bit, number_));
        } else {
            next = more == nullptr ? out.so_far
                                   : ir_.CreateSelect(more, code.at(out.from, LaneKind::uniform), out.so_far);
        }
        out.next.emplace_back(next, ir_.GetInsertBlock());
    }

    void end_lane() {
        ir_.SetInsertPoint(next_);
        llvm::PHINode* const most = ir_.CreatePHI(ir_.getInt32Ty(), 2);
        most->addIncoming(most_so_far_, ran_);
        if (chain_.mask != nullptr)
            most->addIncoming(most_, rests_);
        for (Out& out : outs_)
            if (out.so_far != nullptr) {
                llvm::PHINode* const both = ir_.CreatePHI(out.so_far->getType(), 2);
                for (const auto& [value, from] : out.next)
                    both->addIncoming(value, from);
                out.so_far->addIncoming(both, next_);
                out.next.assign({{both, next_}});
            }
        Value* const number = ir_.CreateAdd(number_, ir_.getInt32(1));
        number_->addIncoming(number, next_);
        most_->addIncoming(most, next_);
        ir_.CreateCondBr(ir_.CreateICmpEQ(number, ir_.getInt32(simd_)), all_, lane_);
        ir_.SetInsertPoint(all_);
        llvm::BasicBlock* const fine = block("lanes.done");
        ir_.CreateCondBr(ir_.CreateICmpEQ(most, ir_.getInt32(0)), gives_up_, fine, seldom(true));
        ir_.SetInsertPoint(fine);
    }

    void finish() {
        for (llvm::StoreInst* const store : slices_.stores()) // each turn did
            ir_.CreateStore(invariants_->value(store->getValueOperand()),
                            invariants_->value(store->getPointerOperand()));
        std::vector<Value*> values;
        for (Out& out : outs_) {
            llvm::Type* const type = out.from->getType();
            if (out.room != nullptr)
                values.push_back(ir_.CreateLoad(type, out.room));
            else if (!by_bits(out)) // a number that lanes share, or what no turn changes: of any type
                values.push_back(out.next[0].first);
            else if (type->isVectorTy())
                values.push_back(
                    ir_.CreateBitCast(ir_.CreateTrunc(out.next[0].first, ir_.getIntNTy(simd_)), type));
            else
                values.push_back(ir_.CreateZExtOrTrunc(out.next[0].first, type));
        }
        for (size_t k = 0; k < outs_.size(); ++k)
            outs_[k].phi->addIncoming(values[k], ir_.GetInsertBlock());
        ir_.CreateBr(chain_.exit);
    }

    llvm::Function& function_;
    llvm::Loop& loop_;
    const LaneChain& chain_;
    const LaneSlices& slices_;
    uint32_t simd_;
    llvm::IRBuilder<> ir_;
    Invariants* invariants_ = nullptr;
    llvm::BasicBlock* before_ = nullptr;
    llvm::BasicBlock* lane_ = nullptr;
    llvm::BasicBlock* runs_ = nullptr;
    llvm::BasicBlock* turn_ = nullptr;
    llvm::BasicBlock* left_ = nullptr;
    llvm::BasicBlock* ran_ = nullptr;
    llvm::BasicBlock* rests_ = nullptr;
    llvm::BasicBlock* next_ = nullptr;
    llvm::BasicBlock* all_ = nullptr;
    llvm::BasicBlock* gives_up_ = nullptr;
    llvm::BasicBlock* together_ = nullptr;
    Value* gave_up_ = nullptr;
    llvm::PHINode* number_ = nullptr;
    llvm::PHINode* most_ = nullptr;
    Value* most_so_far_ = nullptr;
    llvm::PHINode* turns_ = nullptr;                                 // that the lane has made
    std::vector<std::pair<llvm::PHINode*, llvm::PHINode*>> carried_; // the loop's, and the lane's own
    std::vector<Out> outs_;
};

bool is_candidate(const llvm::Loop& loop) {
    bool loads = false;
    for (llvm::BasicBlock* const block : loop.blocks())
        for (llvm::Instruction& instruction : *block)
            if (const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
                call != nullptr && call->getCalledFunction() != nullptr) {
                const llvm::StringRef name = call->getCalledFunction()->getName();
                if (name.starts_with(stand_in::any_store))
                    return false;
                loads = loads || name.starts_with(stand_in::any_load);
            }
    return loads && loop.isInnermost();
}

// Is it quicker?
bool pays(const LaneSlices& slices, Affine& affine) {
    const std::vector<llvm::CallInst*> loads = slices.loads();
    const auto unknown = std::ranges::count_if(loads, [&](llvm::CallInst* load) {
        return !affine.form(load->getArgOperand(0), 0, load).has_value();
    });
    return slices.size() <= static_cast<size_t>(unknown) * instructions_by_load;
}

} // namespace

void run_lanes_by_themselves(llvm::Function& function, uint32_t simd) {
    if (simd < 4)
        return;
    llvm::EliminateUnreachableBlocks(function);
    llvm::DominatorTree tree(function);
    llvm::LoopInfo loops(tree);
    std::vector<llvm::Loop*> candidates;
    for (llvm::Loop* const loop : loops.getLoopsInPreorder())
        if (is_candidate(*loop)) {
            llvm::simplifyLoop(loop, &tree, &loops, nullptr, nullptr, nullptr, false);
            llvm::formLCSSA(*loop, tree, &loops, nullptr);
            candidates.push_back(loop);
        }
    std::vector<std::pair<llvm::Loop*, LaneSlices>> found;
    std::optional<Affine> affine;
    for (llvm::Loop* const loop : candidates)
        if (auto slices = LaneSlices::find(*loop, simd); slices && found.size() < most_loops) {
            if (!affine)
                affine.emplace(function, 0);
            if (pays(*slices, *affine))
                found.emplace_back(loop, std::move(*slices));
        }
    for (const auto& [loop, slices] : found)
        Builder(function, *loop, slices, simd).build();
}

} // namespace visor::jit
