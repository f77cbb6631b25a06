#include "jit/transform/serialize_divergent_loops.h"

#include "jit/analysis/counted_loop.h"
#include "jit/analysis/lane_affine.h"
#include "jit/analysis/lane_slice.h"
#include "jit/ir/memory_intrinsics.h"
#include "jit/ir/prefetch.h"
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

// A lane that makes more iterations than these gives up: others may be waiting, and the caller, too.
constexpr uint32_t most_turns = 1U << 16U;
// Worth it when there is a load from an unknown place for this many instructions by lane.
constexpr size_t instructions_by_load = 16;
// Each loop is there twice afterwards.
constexpr size_t most_loops = 8;

// Builds the loop in which each lane runs by itself.
class Builder {
public:
    Builder(llvm::Function& function, llvm::Loop& loop, const LaneSlices& slices, uint32_t simd)
        : function_(function), loop_(loop), chain_(slices.chain()), slices_(slices), bits_(slices),
          walk_(CountedLoop::find(slices, bits_)), simd_(simd), ir_(function.getContext()) {}

    void build() {
        make_blocks();
        ir_.SetInsertPoint(before_);
        llvm::BranchInst* const starts = ir_.CreateBr(lane_);
        Invariants invariants(slices_, *starts, function_.getEntryBlock());
        invariants_ = &invariants;
        for (llvm::PHINode& phi : chain_.exit->phis())
            outs_.push_back(make_out(phi));
        for (Value* const value : slices_.shared_behind())
            shared_.push_back({.from = value});
        if (!shared_.empty())
            walk_.reset();
        if (walk_)
            ask_walk(*starts);
        start_lane();
        run_lane();
        rest_lane();
        end_lane();
        finish();
        starts->eraseFromParent();
        ir_.SetInsertPoint(before_);
        Value* refuses = invariants.refuses();
        if (walk_) {
            stays_in_->moveBefore(*before_, before_->end());
            refuses = ir_.CreateOr(refuses, ir_.CreateOr(strays_, ir_.CreateNot(stays_in_)));
        }
        ir_.CreateCondBr(refuses, together_, lane_, seldom(true));
        invariants_ = nullptr;
    }

private:
    // What the loop's values are outside.
    struct Out {
        llvm::PHINode* phi = nullptr; // behind the loop
        Value* from = nullptr;        // in the loop
        Value* room = nullptr;        // of vectors: memory
        bool by_bits = false;
        MaskFact ran; // of bits that are known: those of lanes that run, and of others
        MaskFact rested;
        llvm::PHINode* so_far = nullptr; // of other bits: those of the lanes before
        std::vector<std::pair<Value*, llvm::BasicBlock*>> next;
    };
    // What is one for all lanes: that of the lane which made most iterations.
    struct Shared {
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
        runs_ = block("lane.runs");
        iteration_ = block("lane.turn");
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
        Out out;
        out.phi = &phi;
        out.from = phi.getIncomingValueForBlock(chain_.leaves->getParent());
        const LaneKind kind = slices_.kind(out.from);
        if (kind == LaneKind::lanes && out.from->getType()->getScalarSizeInBits() != 1)
            out.room = invariants_->reserve(out.from->getType());
        else
            out.by_bits = kind == LaneKind::mask || kind == LaneKind::lanes;
        if (out.by_bits) {
            out.ran = bits_.ran(out.from);
            out.rested = chain_.mask == nullptr ? out.ran : bits_.rested(out.from);
        }
        return out;
    }
    [[nodiscard]] static bool is_known(const Out& out) {
        return out.ran.kind != MaskFact::Kind::unknown && out.rested.kind != MaskFact::Kind::unknown;
    }

    // The next lane: does it run?
    void start_lane() {
        ir_.SetInsertPoint(lane_);
        number_ = ir_.CreatePHI(ir_.getInt32Ty(), 2);
        number_->addIncoming(ir_.getInt32(0), before_);
        if (!walk_) {
            most_ = ir_.CreatePHI(ir_.getInt32Ty(), 2); // iterations of the lane that made most
            most_->addIncoming(ir_.getInt32(0), before_);
        }
        for (Out& out : outs_)
            if (out.by_bits && !is_known(out)) {
                out.so_far = ir_.CreatePHI(ir_.getInt32Ty(), 2);
                out.so_far->addIncoming(ir_.getInt32(0), before_);
            }
        for (Shared& shared : shared_) {
            shared.so_far = ir_.CreatePHI(shared.from->getType(), 2);
            shared.so_far->addIncoming(llvm::PoisonValue::get(shared.from->getType()), before_);
        }
        if (chain_.mask == nullptr) {
            ir_.CreateBr(runs_);
            return;
        }
        Value* const on = invariants_->bit(ir_, slices_.first(*chain_.mask), number_);
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
        leave_turns(code);
        ran_ = ir_.GetInsertBlock();
        ir_.CreateBr(next_);
    }

    void leave_turns(LaneCode& code) {
        ir_.SetInsertPoint(left_);
        if (!walk_) {
            Value* const iterations = hidden(made_);
            Value* const more = ir_.CreateICmpUGT(iterations, most_);
            most_so_far_ = ir_.CreateSelect(more, iterations, most_);
            for (Shared& shared : shared_)
                shared.next = ir_.CreateSelect(more, code.at(shared.from, LaneKind::uniform), shared.so_far);
        }
        for (Out& out : outs_)
            put_out(out, code);
    }

    // Where a count leaves the loop: LLVM would carry each product of it along, in a register of its own.
    Value* hidden(Value* count) {
        llvm::Constant* const unnamed = llvm::ConstantPointerNull::get(ir_.getPtrTy());
        return ir_.CreateIntrinsic(llvm::Intrinsic::annotation, {count->getType(), ir_.getPtrTy()},
                                   {count, unnamed, unnamed, ir_.getInt32(0)});
    }

    // Where lanes walk to, and in how many iterations, when no index becomes negative. Whether that is inside
    // the room that loads have for it is asked last, when they have told it.
    void ask_walk(llvm::Instruction& before) {
        ir_.SetInsertPoint(&before);
        Value* const start = invariants_->value(slices_.first(*walk_->index));
        Value* end = invariants_->value(walk_->end);
        llvm::Type* const type = start->getType();
        Value* const one = llvm::ConstantInt::get(type, 1);
        Value* const second = ir_.CreateAdd(start, one);
        if (walk_->stays == llvm::CmpInst::ICMP_SLT)
            end = ir_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, end, second);
        else if (walk_->stays == llvm::CmpInst::ICMP_ULT)
            end = ir_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, end, second);
        Value* const last = ir_.CreateSub(end, one);
        Value* const few =
            ir_.CreateICmpULT(ir_.CreateSub(last, start), llvm::ConstantInt::get(type, most_turns));
        Value* const walks = ir_.CreateAnd(few, ir_.CreateICmpULE(start, last));
        llvm::Type* const bits = llvm::FixedVectorType::get(ir_.getInt1Ty(), simd_);
        Value* const on = as_mask(lanes_that_run(), bits);
        strays_ = ir_.CreateICmpNE(as_mask(ir_.CreateAnd(on, ir_.CreateNot(walks)), ir_.getIntNTy(simd_)),
                                   ir_.getIntN(simd_, 0));
        const auto largest = [&](Value* lanes) {
            Value* const none = llvm::Constant::getNullValue(type);
            return ir_.CreateIntMaxReduce(ir_.CreateSelect(on, lanes, none));
        };
        most_so_far_ = largest(ir_.CreateSub(end, start));
        stays_in_ = Bounds(ir_).question_of_index(largest(last), ir_.getInt32(INT32_MAX - 1));
    }

    void begin_turn(LaneCode& code) {
        std::vector<Value*> first;
        for (llvm::PHINode* const phi : slices_.needed_phis())
            first.push_back(phi == chain_.mask ? ir_.getTrue()
                                               : code.at(slices_.first(*phi), slices_.kind(phi)));
        code.read_at(*ir_.CreateBr(iteration_));
        ir_.SetInsertPoint(iteration_);
        iterations_ = ir_.CreatePHI(ir_.getInt32Ty(), 2);
        iterations_->addIncoming(ir_.getInt32(0), runs_);
        for (size_t k = 0; k < first.size(); ++k) {
            llvm::PHINode* const phi = slices_.needed_phis()[k];
            if (phi == chain_.mask) {
                code.set(phi, ir_.getTrue());
            } else if (slices_.step(*phi) != nullptr) {
                stepped_.emplace_back(phi, first[k]);
            } else {
                llvm::PHINode* const own = ir_.CreatePHI(first[k]->getType(), 2);
                own->addIncoming(first[k], runs_);
                carried_.emplace_back(phi, own);
                code.set(phi, own);
                if (walk_ && phi == walk_->index)
                    code.set_asked(own, stays_in_);
            }
        }
        made_ = ir_.CreateAdd(iterations_, ir_.getInt32(1));
        for (const auto& [phi, start] : stepped_)
            code.set(phi, grow(*phi, start, iterations_));
    }

    Value* grow(const llvm::PHINode& phi, Value* start, Value* iterations) {
        return ir_.CreateAdd(
            start, ir_.CreateMul(ir_.CreateZExtOrTrunc(iterations, start->getType()), slices_.step(phi)));
    }

    void end_turn(LaneCode& code) {
        if (!walk_) {
            llvm::BasicBlock* const few = block("lane.again");
            ir_.CreateCondBr(ir_.CreateICmpEQ(made_, ir_.getInt32(most_turns)), gives_up_, few, seldom(true));
            ir_.SetInsertPoint(few);
        }
        llvm::BasicBlock* const again = ir_.GetInsertBlock();
        iterations_->addIncoming(made_, again);
        for (const auto& [phi, own] : carried_)
            own->addIncoming(code.at(slices_.next(*phi), slices_.kind(phi)), again);
        mark_as_iterations(*ir_.CreateBr(iteration_));
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
            code.set(phi, phi == chain_.mask ? static_cast<Value*>(ir_.getFalse())
                                             : code.at(slices_.first(*phi), slices_.kind(phi)));
        for (llvm::BasicBlock* const at : chain_.blocks) {
            code.emit(*at);
            if (at == chain_.leaves->getParent())
                break;
        }
        for (Out& out : outs_)
            put_out(out, code);
        ir_.CreateBr(next_);
    }

    void put_out(Out& out, LaneCode& code) {
        if (out.room != nullptr) {
            Value* const own = code.at(out.from, LaneKind::lanes);
            Value* const number = ir_.CreateZExt(number_, ir_.getInt64Ty());
            ir_.CreateStore(own, Bounds(ir_).element(out.room, own->getType(), number));
        } else if (out.so_far != nullptr) {
            Value* const bit = ir_.CreateZExt(code.at(out.from, slices_.kind(out.from)), ir_.getInt32Ty());
            out.next.emplace_back(ir_.CreateOr(out.so_far, ir_.CreateShl(bit, number_)),
                                  ir_.GetInsertBlock());
        }
    }

    void end_lane() {
        ir_.SetInsertPoint(next_);
        if (!walk_) {
            llvm::PHINode* const most = ran_or_rested(most_so_far_, most_);
            most_->addIncoming(most, next_);
            most_so_far_ = most;
        }
        for (Shared& shared : shared_) {
            shared.next = ran_or_rested(shared.next, shared.so_far);
            shared.so_far->addIncoming(shared.next, next_);
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
        ir_.CreateCondBr(ir_.CreateICmpEQ(most_so_far_, ir_.getInt32(0)), gives_up_, fine, seldom(true));
        ir_.SetInsertPoint(fine);
    }
    llvm::PHINode* ran_or_rested(Value* ran, Value* rested) {
        llvm::PHINode* const both = ir_.CreatePHI(ran->getType(), 2);
        both->addIncoming(ran, ran_);
        if (chain_.mask != nullptr)
            both->addIncoming(rested, rests_);
        return both;
    }

    // May the thread go on? Asked once, when all lanes are through.
    void ask(LaneCode& behind) {
        if (chain_.poll == nullptr)
            return;
        Value* const asks = behind.now(*chain_.poll);
        llvm::BasicBlock* const on = block("lanes.on");
        ir_.CreateCondBr(asks, gives_up_, on, seldom(true));
        ir_.SetInsertPoint(on);
    }

    void finish() {
        LaneCode behind(slices_, *invariants_, ir_, nullptr, gives_up_);
        for (const Shared& shared : shared_)
            behind.set(slices_.source(shared.from), shared.next);
        Value* const before_last = ir_.CreateSub(most_so_far_, ir_.getInt32(1));
        for (const auto& [phi, start] : stepped_)
            behind.set(phi, grow(*phi, start, before_last));
        behind.renew();
        ask(behind);
        for (llvm::StoreInst* const store : slices_.stores()) // each iteration did
            ir_.CreateStore(invariants_->value(store->getValueOperand()),
                            invariants_->value(store->getPointerOperand()));
        std::vector<Value*> values;
        for (Out& out : outs_) {
            llvm::Type* const type = out.from->getType();
            if (out.room != nullptr)
                values.push_back(ir_.CreateLoad(type, out.room));
            else if (!out.by_bits) // a number that lanes share, or what no iteration changes: of any type
                values.push_back(behind.at(out.from, LaneKind::uniform));
            else
                values.push_back(as_mask(is_known(out) ? known_bits(out) : out.next[0].first, type));
        }
        for (size_t k = 0; k < outs_.size(); ++k)
            outs_[k].phi->addIncoming(values[k], ir_.GetInsertBlock());
        ir_.CreateBr(chain_.exit);
    }

    // The bits of lanes, as an integer or as a vector.
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
        if (out.ran == out.rested)
            return bits(out.ran);
        return ir_.CreateOr(ir_.CreateAnd(ran, bits(out.ran)),
                            ir_.CreateAnd(ir_.CreateNot(ran), bits(out.rested)));
    }

    llvm::Function& function_;
    llvm::Loop& loop_;
    const LaneChain& chain_;
    const LaneSlices& slices_;
    MaskFacts bits_;
    std::optional<CountedLoop> walk_;
    uint32_t simd_;
    llvm::IRBuilder<> ir_;
    Invariants* invariants_ = nullptr;
    llvm::BasicBlock* before_ = nullptr;
    llvm::BasicBlock* lane_ = nullptr;
    llvm::BasicBlock* runs_ = nullptr;
    llvm::BasicBlock* iteration_ = nullptr;
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
    Value* strays_ = nullptr;             // of a walk: there are too many iterations
    llvm::ICmpInst* stays_in_ = nullptr;  // of a walk: it is inside
    llvm::PHINode* iterations_ = nullptr; // in front of this one
    Value* made_ = nullptr;               // with this one
    std::vector<std::pair<llvm::PHINode*, llvm::PHINode*>> carried_; // the loop's, and the lane's own
    std::vector<std::pair<llvm::PHINode*, Value*>> stepped_;         // and where they start
    std::vector<Out> outs_;
    std::vector<Shared> shared_;
};

bool is_candidate(const llvm::Loop& loop) {
    bool loads = false;
    for (llvm::BasicBlock* const block : loop.blocks())
        for (llvm::Instruction& instruction : *block)
            if (const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction); call != nullptr) {
                if (is_memory_intrinsic(*call, intrinsics::any_store))
                    return false;
                loads = loads || is_memory_intrinsic(*call, intrinsics::any_load);
            }
    return loads && loop.isInnermost();
}

// Lanes far from each other: a line for each.
bool is_scattered(const LaneAffine::Form& form) {
    return form.steps.size() > 1 && std::abs(form.steps[1] - form.steps[0]) >= line_bytes;
}

// Is it quicker? Where lanes leave one by one, also when each reads lines of its own: together they would
// read for as long as the last of them stays.
bool pays(const LaneSlices& slices, LaneAffine& affine) {
    const std::vector<llvm::CallInst*> loads = slices.loads();
    const auto counts = std::ranges::count_if(loads, [&](llvm::CallInst* load) {
        const auto form = affine.form(load->getArgOperand(0), 0, load);
        return !form || (slices.chain().mask != nullptr && is_scattered(*form));
    });
    return slices.size() <= static_cast<size_t>(counts) * instructions_by_load;
}

} // namespace

void serialize_divergent_loops(llvm::Function& function, uint32_t simd) {
    if (simd < 4)
        return;
    for (llvm::BasicBlock& block : function) // registers that became values have answered some questions
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
    std::vector<std::pair<llvm::Loop*, LaneSlices>> found;
    std::optional<LaneAffine> affine;
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
