#include "jit/transform/serialize_divergent_loops.h"

#include "jit/analysis/coalescing.h"
#include "jit/analysis/counted_loop.h"
#include "jit/analysis/lane_affine.h"
#include "jit/analysis/lane_slice.h"
#include "jit/ir/memory_intrinsics.h"
#include "jit/ir/prefetch.h"
#include "jit/ir/safepoint.h"
#include "jit/transform/outline_loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <algorithm>

namespace visor::jit {

namespace {

using llvm::Value;

// A lane bails out after this many iterations: other threads and the caller may be waiting.
constexpr uint32_t max_iterations = 1U << 16U;
// Profitable with one load without a lane-affine form per this many per-lane instructions.
constexpr size_t instructions_per_load = 16;
// Each loop is duplicated.
constexpr size_t max_loops = 8;

// Emits the serialized loop.
class Builder {
public:
    Builder(llvm::Function& function, llvm::Loop& loop, const LaneSlices& slices, const LoopLoads& loads,
            uint32_t simd)
        : function_(function), loop_(loop), chain_(slices.chain()), slices_(slices), loads_(loads),
          bits_(slices), counted_(CountedLoop::find(slices, bits_)), simd_(simd), ir_(function.getContext()) {
    }

    void build() {
        make_blocks();
        ir_.SetInsertPoint(before_);
        llvm::BranchInst* const starts = ir_.CreateBr(lane_);
        Invariants invariants(slices_, *starts, function_.getEntryBlock());
        invariants_ = &invariants;
        for (llvm::PHINode& phi : chain_.exit->phis())
            outs_.push_back(create_out(phi));
        for (Value* const value : slices_.uniform_after())
            uniforms_.push_back({.from = value});
        if (!uniforms_.empty())
            counted_.reset();
        if (counted_)
            check_counted_loop(*starts);
        begin_lane();
        emit_active_lane();
        emit_inactive_lane();
        end_lane();
        finish();
        starts->eraseFromParent();
        ir_.SetInsertPoint(before_);
        Value* bails_out = invariants.bails_out();
        if (counted_) {
            in_bounds_->moveBefore(*before_, before_->end());
            bails_out = ir_.CreateOr(bails_out, ir_.CreateOr(too_long_, ir_.CreateNot(in_bounds_)));
        }
        leave_coalesced_loop(bails_out);
        invariants_ = nullptr;
    }

private:
    // Lanes side by side stay together where most are active: a vector load serves all of them. That is known
    // at run time alone.
    void leave_coalesced_loop(Value* bails_out) {
        Value* const bits = lanes_that_run();
        Value* const on = as_mask(bits, llvm::FixedVectorType::get(ir_.getInt1Ty(), simd_));
        Value* const coalesced = coalesced_on_entry(ir_, slices_, *invariants_, loads_, on);
        if (coalesced == nullptr) {
            ir_.CreateCondBr(bails_out, original_, lane_, seldom(true));
            return;
        }
        Value* const count =
            ir_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, ir_.CreateZExt(bits, ir_.getInt32Ty()));
        Value* const most = ir_.CreateICmpUGT(count, ir_.getInt32(simd_ / 2));
        Value* const together = ir_.CreateOr(bails_out, ir_.CreateAnd(coalesced, most));
        // Serialized loops take longer: their code is the one to lay out well.
        constexpr uint32_t lanes_odds = 16;
        ir_.CreateCondBr(together, original_, lane_,
                         llvm::MDBuilder(function_.getContext()).createBranchWeights(1, lanes_odds));
    }

    // A live-out value of the loop.
    struct Out {
        llvm::PHINode* phi = nullptr; // after the loop
        Value* from = nullptr;        // in the loop
        Value* slot = nullptr;        // of vectors: on the stack
        bool is_mask = false;
        MaskFact ran; // of known masks: the bit of active and of inactive lanes
        MaskFact inactive;
        llvm::PHINode* so_far = nullptr; // of other masks: the bits of previous lanes
        std::vector<std::pair<Value*, llvm::BasicBlock*>> next;
    };
    // A uniform live-out: that of the lane with the most iterations.
    struct Uniform {
        Value* from = nullptr;
        llvm::PHINode* so_far = nullptr;
        Value* next = nullptr;
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
        active_block_ = block("lane.active");
        iteration_ = block("lane.iteration");
        left_ = block("lane.left");
        inactive_block_ = block("lane.inactive");
        next_ = block("lane.next");
        all_ = block("lanes.all");
        bail_out_ = block("lanes.bail.out");
        original_ = block("lanes.original");
        loop_.getHeader()->replacePhiUsesWith(preheader, original_);
        llvm::IRBuilder<> entry(&*function_.getEntryBlock().getFirstInsertionPt());
        bailed_out_ = entry.CreateAlloca(entry.getInt1Ty());
        llvm::IRBuilder<>(function_.getEntryBlock().getTerminator()).CreateStore(ir_.getFalse(), bailed_out_);
        preheader->getTerminator()->eraseFromParent();
        ir_.SetInsertPoint(preheader);
        ir_.CreateCondBr(ir_.CreateLoad(ir_.getInt1Ty(), bailed_out_), original_, before_, seldom(true));
        ir_.SetInsertPoint(bail_out_);
        ir_.CreateStore(ir_.getTrue(), bailed_out_);
        ir_.CreateBr(original_);
        ir_.SetInsertPoint(original_);
        ir_.CreateBr(loop_.getHeader());
    }

    Out create_out(llvm::PHINode& phi) {
        Out out;
        out.phi = &phi;
        out.from = phi.getIncomingValueForBlock(chain_.leaves->getParent());
        const LaneKind kind = slices_.kind(out.from);
        if (kind == LaneKind::lanes && out.from->getType()->getScalarSizeInBits() != 1)
            out.slot = invariants_->create_slot(out.from->getType());
        else
            out.is_mask = kind == LaneKind::mask || kind == LaneKind::lanes;
        if (out.is_mask) {
            out.ran = bits_.ran(out.from);
            out.inactive = chain_.mask == nullptr ? out.ran : bits_.inactive(out.from);
        }
        return out;
    }
    [[nodiscard]] static bool is_known(const Out& out) {
        return out.ran.kind != MaskFact::Kind::unknown && out.inactive.kind != MaskFact::Kind::unknown;
    }

    // Branches on the next lane's mask bit.
    void begin_lane() {
        ir_.SetInsertPoint(lane_);
        number_ = ir_.CreatePHI(ir_.getInt32Ty(), 2);
        number_->addIncoming(ir_.getInt32(0), before_);
        if (!counted_) {
            max_before_ = ir_.CreatePHI(ir_.getInt32Ty(), 2); // the maximum over previous lanes
            max_before_->addIncoming(ir_.getInt32(0), before_);
        }
        for (Out& out : outs_)
            if (out.is_mask && !is_known(out)) {
                out.so_far = ir_.CreatePHI(ir_.getInt32Ty(), 2);
                out.so_far->addIncoming(ir_.getInt32(0), before_);
            }
        for (Uniform& uniform : uniforms_) {
            uniform.so_far = ir_.CreatePHI(uniform.from->getType(), 2);
            uniform.so_far->addIncoming(llvm::PoisonValue::get(uniform.from->getType()), before_);
        }
        if (chain_.mask == nullptr) {
            ir_.CreateBr(active_block_);
            return;
        }
        Value* const on = invariants_->bit(ir_, slices_.first(*chain_.mask), number_);
        ir_.CreateCondBr(on, active_block_, inactive_block_);
    }

    void emit_active_lane() {
        ir_.SetInsertPoint(active_block_);
        LaneCode code(slices_, *invariants_, ir_, number_, bail_out_);
        begin_iteration(code);
        for (llvm::BasicBlock* const at : chain_.blocks) {
            code.emit(*at);
            leave_block(code, *at);
        }
        end_iteration(code);
        leave_iterations(code);
        ran_ = ir_.GetInsertBlock();
        ir_.CreateBr(next_);
    }

    void leave_iterations(LaneCode& code) {
        ir_.SetInsertPoint(left_);
        if (!counted_) {
            Value* const iterations = opaque(completed_);
            Value* const more = ir_.CreateICmpUGT(iterations, max_before_);
            max_so_far_ = ir_.CreateSelect(more, iterations, max_before_);
            for (Uniform& uniform : uniforms_)
                uniform.next =
                    ir_.CreateSelect(more, code.at(uniform.from, LaneKind::uniform), uniform.so_far);
        }
        for (Out& out : outs_)
            store_out(out, code);
    }

    // Hides a count at the loop's exit: LLVM would reduce its products to induction variables with a register
    // each.
    Value* opaque(Value* count) {
        llvm::Constant* const unnamed = llvm::ConstantPointerNull::get(ir_.getPtrTy());
        return ir_.CreateIntrinsic(llvm::Intrinsic::annotation, {count->getType(), ir_.getPtrTy()},
                                   {count, unnamed, unnamed, ir_.getInt32(0)});
    }

    // Computes ranges and trip counts of all lanes, if no index becomes negative. in_bounds_ gets its limit
    // last, from the range checks of all loads.
    void check_counted_loop(llvm::Instruction& before) {
        ir_.SetInsertPoint(&before);
        Value* const start = invariants_->value(slices_.first(*counted_->index));
        Value* end = invariants_->value(counted_->end);
        llvm::Type* const type = start->getType();
        Value* const one = llvm::ConstantInt::get(type, 1);
        Value* const second = ir_.CreateAdd(start, one);
        if (counted_->stays == llvm::CmpInst::ICMP_SLT)
            end = ir_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, end, second);
        else if (counted_->stays == llvm::CmpInst::ICMP_ULT)
            end = ir_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, end, second);
        Value* const last = ir_.CreateSub(end, one);
        Value* const below_limit =
            ir_.CreateICmpULT(ir_.CreateSub(last, start), llvm::ConstantInt::get(type, max_iterations));
        Value* const is_countable = ir_.CreateAnd(below_limit, ir_.CreateICmpULE(start, last));
        llvm::Type* const bits = llvm::FixedVectorType::get(ir_.getInt1Ty(), simd_);
        Value* const on = as_mask(lanes_that_run(), bits);
        too_long_ =
            ir_.CreateICmpNE(as_mask(ir_.CreateAnd(on, ir_.CreateNot(is_countable)), ir_.getIntNTy(simd_)),
                             ir_.getIntN(simd_, 0));
        const auto largest = [&](Value* lanes) {
            Value* const none = llvm::Constant::getNullValue(type);
            return ir_.CreateIntMaxReduce(ir_.CreateSelect(on, lanes, none));
        };
        max_so_far_ = largest(ir_.CreateSub(end, start));
        in_bounds_ = Bounds(ir_).index_check(largest(last), ir_.getInt32(INT32_MAX - 1));
    }

    void begin_iteration(LaneCode& code) {
        std::vector<Value*> first;
        for (llvm::PHINode* const phi : slices_.needed_phis())
            first.push_back(phi == chain_.mask ? ir_.getTrue()
                                               : code.at(slices_.first(*phi), slices_.kind(phi)));
        code.hoist_loads_to(*ir_.CreateBr(iteration_));
        ir_.SetInsertPoint(iteration_);
        iterations_ = ir_.CreatePHI(ir_.getInt32Ty(), 2);
        iterations_->addIncoming(ir_.getInt32(0), active_block_);
        for (size_t k = 0; k < first.size(); ++k) {
            llvm::PHINode* const phi = slices_.needed_phis()[k];
            if (phi == chain_.mask) {
                code.set(phi, ir_.getTrue());
            } else if (slices_.step(*phi) != nullptr) {
                stepped_.emplace_back(phi, first[k]);
            } else {
                llvm::PHINode* const own = ir_.CreatePHI(first[k]->getType(), 2);
                own->addIncoming(first[k], active_block_);
                carried_.emplace_back(phi, own);
                code.set(phi, own);
                if (counted_ && phi == counted_->index)
                    code.set_checked(own, in_bounds_);
            }
        }
        completed_ = ir_.CreateAdd(iterations_, ir_.getInt32(1));
        for (const auto& [phi, start] : stepped_)
            code.set(phi, grow(*phi, start, iterations_));
    }

    Value* grow(const llvm::PHINode& phi, Value* start, Value* iterations) {
        return ir_.CreateAdd(
            start, ir_.CreateMul(ir_.CreateZExtOrTrunc(iterations, start->getType()), slices_.step(phi)));
    }

    void end_iteration(LaneCode& code) {
        if (!counted_) {
            llvm::BasicBlock* const below_limit = block("lane.again");
            ir_.CreateCondBr(ir_.CreateICmpEQ(completed_, ir_.getInt32(max_iterations)), bail_out_,
                             below_limit, seldom(true));
            ir_.SetInsertPoint(below_limit);
        }
        llvm::BasicBlock* const again = ir_.GetInsertBlock();
        iterations_->addIncoming(completed_, again);
        for (const auto& [phi, own] : carried_)
            own->addIncoming(code.at(slices_.next(*phi), slices_.kind(phi)), again);
        mark_as_iterations(*ir_.CreateBr(iteration_));
    }

    void leave_block(LaneCode& code, llvm::BasicBlock& from) {
        auto* const end = llvm::cast<llvm::BranchInst>(from.getTerminator());
        if (end->isUnconditional() || llvm::isa<SafepointPoll>(end))
            return;
        llvm::BasicBlock* const on = block("lane.on");
        const bool on_true = chain_.stays(*end) == end->getSuccessor(0);
        Value* const holds = code.test(end->getCondition());
        llvm::BasicBlock* const off = end == chain_.leaves ? left_ : bail_out_;
        llvm::MDNode* const weights = off == bail_out_ ? seldom(!on_true) : nullptr;
        ir_.CreateCondBr(holds, on_true ? on : off, on_true ? off : on, weights);
        ir_.SetInsertPoint(on);
    }

    // An inactive lane accesses no memory and keeps its live-outs.
    void emit_inactive_lane() {
        ir_.SetInsertPoint(inactive_block_);
        if (chain_.mask == nullptr) {
            ir_.CreateUnreachable();
            return;
        }
        LaneCode code(slices_, *invariants_, ir_, number_, bail_out_);
        code.set_inactive();
        for (llvm::PHINode* const phi : slices_.needed_phis())
            code.set(phi, phi == chain_.mask ? static_cast<Value*>(ir_.getFalse())
                                             : code.at(slices_.first(*phi), slices_.kind(phi)));
        for (llvm::BasicBlock* const at : chain_.blocks) {
            code.emit(*at);
            if (at == chain_.leaves->getParent())
                break;
        }
        for (Out& out : outs_)
            store_out(out, code);
        ir_.CreateBr(next_);
    }

    void store_out(Out& out, LaneCode& code) {
        if (out.slot != nullptr) {
            Value* const own = code.at(out.from, LaneKind::lanes);
            Value* const number = ir_.CreateZExt(number_, ir_.getInt64Ty());
            ir_.CreateStore(own, Bounds(ir_).element(out.slot, own->getType(), number));
        } else if (out.so_far != nullptr) {
            Value* const bit = ir_.CreateZExt(code.at(out.from, slices_.kind(out.from)), ir_.getInt32Ty());
            out.next.emplace_back(ir_.CreateOr(out.so_far, ir_.CreateShl(bit, number_)),
                                  ir_.GetInsertBlock());
        }
    }

    void end_lane() {
        ir_.SetInsertPoint(next_);
        if (!counted_) {
            llvm::PHINode* const longest = active_or_inactive(max_so_far_, max_before_);
            max_before_->addIncoming(longest, next_);
            max_so_far_ = longest;
        }
        for (Uniform& uniform : uniforms_) {
            uniform.next = active_or_inactive(uniform.next, uniform.so_far);
            uniform.so_far->addIncoming(uniform.next, next_);
        }
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
        mark_as_lanes(*ir_.CreateCondBr(ir_.CreateICmpEQ(number, ir_.getInt32(simd_)), all_, lane_));
        ir_.SetInsertPoint(all_);
        llvm::BasicBlock* const fine = block("lanes.done");
        ir_.CreateCondBr(ir_.CreateICmpEQ(max_so_far_, ir_.getInt32(0)), bail_out_, fine, seldom(true));
        ir_.SetInsertPoint(fine);
    }
    llvm::PHINode* active_or_inactive(Value* ran, Value* inactive) {
        llvm::PHINode* const both = ir_.CreatePHI(ran->getType(), 2);
        both->addIncoming(ran, ran_);
        if (chain_.mask != nullptr)
            both->addIncoming(inactive, inactive_block_);
        return both;
    }

    // Polls for a stop request once, after all lanes.
    void check_poll(LaneCode& after) {
        if (chain_.poll == nullptr)
            return;
        Value* const stops = after.now(*chain_.poll);
        llvm::BasicBlock* const on = block("lanes.on");
        ir_.CreateCondBr(stops, bail_out_, on, seldom(true));
        ir_.SetInsertPoint(on);
    }

    void finish() {
        LaneCode after(slices_, *invariants_, ir_, nullptr, bail_out_);
        for (const Uniform& uniform : uniforms_)
            after.set(slices_.source(uniform.from), uniform.next);
        Value* const before_last = ir_.CreateSub(max_so_far_, ir_.getInt32(1));
        for (const auto& [phi, start] : stepped_)
            after.set(phi, grow(*phi, start, before_last));
        after.recompute_counted();
        check_poll(after);
        for (llvm::StoreInst* const store : slices_.stores()) // once stands for each iteration's
            ir_.CreateStore(invariants_->value(store->getValueOperand()),
                            invariants_->value(store->getPointerOperand()));
        std::vector<Value*> values;
        for (Out& out : outs_) {
            llvm::Type* const type = out.from->getType();
            if (out.slot != nullptr)
                values.push_back(ir_.CreateLoad(type, out.slot));
            else if (!out.is_mask) // uniform or invariant: of any type
                values.push_back(after.at(out.from, LaneKind::uniform));
            else
                values.push_back(as_mask(is_known(out) ? known_bits(out) : out.next[0].first, type));
        }
        for (size_t k = 0; k < outs_.size(); ++k)
            outs_[k].phi->addIncoming(values[k], ir_.GetInsertBlock());
        ir_.CreateBr(chain_.exit);
    }

    // A lane mask, as an integer or as a vector.
    Value* as_mask(Value* bits, llvm::Type* type) {
        if (bits->getType()->isVectorTy())
            bits = ir_.CreateBitCast(bits, ir_.getIntNTy(simd_));
        bits = ir_.CreateTrunc(bits, ir_.getIntNTy(simd_));
        return type->isVectorTy() ? ir_.CreateBitCast(bits, type) : ir_.CreateZExt(bits, type);
    }
    Value* lanes_that_run() {
        llvm::Type* const type = ir_.getIntNTy(simd_);
        return chain_.mask == nullptr ? llvm::ConstantInt::getAllOnesValue(type)
                                      : as_mask(invariants_->value(slices_.first(*chain_.mask)), type);
    }
    Value* known_bits(const Out& out) {
        llvm::Type* const type = ir_.getIntNTy(simd_);
        Value* const ran = lanes_that_run();
        const auto bits = [&](const MaskFact& bit) -> Value* {
            if (bit.kind == MaskFact::Kind::same)
                return as_mask(invariants_->value(const_cast<Value*>(bit.as)), type);
            return llvm::ConstantInt::getSigned(type, bit.kind == MaskFact::Kind::set ? -1 : 0);
        };
        if (out.ran == out.inactive)
            return bits(out.ran);
        return ir_.CreateOr(ir_.CreateAnd(ran, bits(out.ran)),
                            ir_.CreateAnd(ir_.CreateNot(ran), bits(out.inactive)));
    }

    llvm::Function& function_;
    llvm::Loop& loop_;
    const LaneChain& chain_;
    const LaneSlices& slices_;
    const LoopLoads& loads_;
    MaskFacts bits_;
    std::optional<CountedLoop> counted_;
    uint32_t simd_;
    llvm::IRBuilder<> ir_;
    Invariants* invariants_ = nullptr;
    llvm::BasicBlock* before_ = nullptr;
    llvm::BasicBlock* lane_ = nullptr;
    llvm::BasicBlock* active_block_ = nullptr;
    llvm::BasicBlock* iteration_ = nullptr;
    llvm::BasicBlock* left_ = nullptr;
    llvm::BasicBlock* ran_ = nullptr;
    llvm::BasicBlock* inactive_block_ = nullptr;
    llvm::BasicBlock* next_ = nullptr;
    llvm::BasicBlock* all_ = nullptr;
    llvm::BasicBlock* bail_out_ = nullptr;
    llvm::BasicBlock* original_ = nullptr;
    Value* bailed_out_ = nullptr;
    llvm::PHINode* number_ = nullptr;
    llvm::PHINode* max_before_ = nullptr;
    Value* max_so_far_ = nullptr;
    Value* too_long_ = nullptr;                                      // counted loop: too many iterations
    llvm::ICmpInst* in_bounds_ = nullptr;                            // counted loop: the range check
    llvm::PHINode* iterations_ = nullptr;                            // before this one
    Value* completed_ = nullptr;                                     // including this one
    std::vector<std::pair<llvm::PHINode*, llvm::PHINode*>> carried_; // the loop's, and the lane's
    std::vector<std::pair<llvm::PHINode*, Value*>> stepped_;         // with its start
    std::vector<Out> outs_;
    std::vector<Uniform> uniforms_;
};

bool is_candidate(const llvm::Loop& loop) {
    bool loads = false;
    for (llvm::BasicBlock* const block : loop.blocks())
        for (llvm::Instruction& instruction : *block)
            if (const auto* const access = llvm::dyn_cast<MemAccess>(&instruction)) {
                if (access->stores())
                    return false;
                loads = true;
            }
    return loads && loop.isInnermost();
}

// Counts loads without a form, and scattered ones of loops that lanes leave one by one: together, all lanes
// would load until the last one leaves.
bool is_profitable(const LaneSlices& slices, const LoopLoads& loads) {
    const size_t counts = loads.unknown.size() + (slices.chain().mask != nullptr ? loads.scattered : 0);
    return slices.size() <= counts * instructions_per_load;
}

} // namespace

void serialize_divergent_loops(llvm::Function& function, uint32_t simd) {
    if (simd < 4)
        return;
    for (llvm::BasicBlock& block : function) // SROA made some conditions constant
        llvm::ConstantFoldTerminator(&block);
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
    struct Found {
        llvm::Loop* loop;
        LaneSlices slices;
        LoopLoads loads;
    };
    std::vector<Found> found;
    std::optional<LaneAffine> affine;
    for (llvm::Loop* const loop : candidates)
        if (auto slices = LaneSlices::find(*loop, simd); slices && found.size() < max_loops) {
            if (!affine)
                affine.emplace(function, 0);
            LoopLoads loads = loop_loads(*slices, *affine);
            if (is_profitable(*slices, loads))
                found.push_back({loop, std::move(*slices), std::move(loads)});
        }
    for (const auto& [loop, slices, loads] : found)
        Builder(function, *loop, slices, loads, simd).build();
}

} // namespace visor::jit
