#include "jit/analysis/lane_slice.h"

#include "jit/analysis/branch_weights.h"
#include "jit/ir/memory_intrinsics.h"
#include "jit/ir/state_pointer.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace visor::jit {

namespace {

using llvm::Value;

// Limit of the fixpoint iteration.
constexpr int max_rounds = 10;
constexpr size_t max_chain = 64;
constexpr int max_depth = 6;

// Each lane's result depends on its own operands alone, which have the result's type or are constants.
bool is_elementwise_intrinsic(llvm::Intrinsic::ID id) {
    switch (id) {
    case llvm::Intrinsic::fma:
    case llvm::Intrinsic::sqrt:
    case llvm::Intrinsic::fabs:
    case llvm::Intrinsic::floor:
    case llvm::Intrinsic::ceil:
    case llvm::Intrinsic::trunc:
    case llvm::Intrinsic::rint:
    case llvm::Intrinsic::roundeven:
    case llvm::Intrinsic::copysign:
    case llvm::Intrinsic::minnum:
    case llvm::Intrinsic::maxnum:
    case llvm::Intrinsic::umin:
    case llvm::Intrinsic::umax:
    case llvm::Intrinsic::smin:
    case llvm::Intrinsic::smax:
    case llvm::Intrinsic::abs:
    case llvm::Intrinsic::ctlz:
    case llvm::Intrinsic::cttz:
    case llvm::Intrinsic::ctpop:
    case llvm::Intrinsic::bswap:
    case llvm::Intrinsic::bitreverse:
    case llvm::Intrinsic::fshl:
    case llvm::Intrinsic::fshr:
        return true;
    default:
        return false;
    }
}

// True if the last few operations show that all bits from `bits` on are zero.
bool is_narrow(const Value* value, uint32_t bits, int depth) {
    if (const auto* const constant = llvm::dyn_cast<llvm::ConstantInt>(value))
        return constant->getValue().getActiveBits() <= bits;
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (instruction == nullptr || depth == 0)
        return false;
    const auto narrow = [&](const llvm::Use& use) { return is_narrow(use.get(), bits, depth - 1); };
    switch (instruction->getOpcode()) {
    case llvm::Instruction::ZExt:
        return instruction->getOperand(0)->getType()->getIntegerBitWidth() <= bits;
    case llvm::Instruction::And:
        return std::ranges::any_of(instruction->operands(), narrow);
    case llvm::Instruction::Or:
    case llvm::Instruction::PHI:
        return std::ranges::all_of(instruction->operands(), narrow);
    default:
        return false;
    }
}

} // namespace

const llvm::BasicBlock* LaneChain::stays(const llvm::BranchInst& end) const {
    const auto here = std::ranges::find(blocks, end.getParent());
    const llvm::BasicBlock* const next = here + 1 == blocks.end() ? blocks.front() : *(here + 1);
    return next;
}

std::optional<LaneSlices> LaneSlices::find(const llvm::Loop& loop, uint32_t simd) {
    LaneSlices slices(loop, simd);
    if (!slices.find_chain())
        return std::nullopt;
    slices.find_masks();
    if (!slices.find_kinds() || !slices.find_mask_of_exit() || !slices.find_needed())
        return std::nullopt;
    slices.find_counted();
    const auto is_known = [&](Value* value) { return slices.is_known_after(slices.source(value)); };
    return std::ranges::all_of(slices.uniform_after(), is_known) ? std::optional(std::move(slices))
                                                                 : std::nullopt;
}

// ---- the hot path

// The successor on the hot path; false if it is ambiguous.
bool LaneSlices::follow(llvm::BranchInst& end, llvm::BasicBlock*& next) {
    next = end.getSuccessor(0);
    if (end.isUnconditional())
        return true;
    llvm::BasicBlock* const other = end.getSuccessor(1);
    if (auto* const poll = llvm::dyn_cast<SafepointPoll>(&end)) {
        if (chain_.poll != nullptr)
            return false;
        chain_.poll = poll;
        next = poll->fast_path();
        return true;
    }
    const llvm::BasicBlock& here = *end.getParent();
    if (is_cold_edge(here, *next) || is_cold_edge(here, *other)) {
        if (is_cold_edge(here, *next))
            next = other;
        return loop_->contains(next);
    }
    if (loop_->contains(next) == loop_->contains(other) || chain_.leaves != nullptr)
        return false;
    chain_.leaves = &end;
    chain_.exit = loop_->contains(next) ? other : next;
    next = loop_->contains(next) ? next : other;
    return true;
}

bool LaneSlices::find_chain() {
    llvm::BasicBlock* at = loop_->getHeader();
    do {
        if (chain_.blocks.size() == max_chain || !on_chain_.insert(at).second)
            return false;
        chain_.blocks.push_back(at);
        auto* const end = llvm::dyn_cast<llvm::BranchInst>(at->getTerminator());
        if (end == nullptr || !follow(*end, at))
            return false;
    } while (at != loop_->getHeader());
    return chain_.leaves != nullptr && loop_->getLoopPreheader() != nullptr &&
           chain_.blocks.back() == loop_->getLoopLatch();
}

Value* LaneSlices::source(Value* value) const {
    for (;;) {
        auto* const phi = llvm::dyn_cast<llvm::PHINode>(value);
        if (phi == nullptr || phi->getParent() == loop_->getHeader() || !on_chain_.contains(phi->getParent()))
            return value;
        const auto here = std::ranges::find(chain_.blocks, phi->getParent());
        value = phi->getIncomingValueForBlock(*(here - 1));
    }
}

llvm::Value* LaneSlices::first(const llvm::PHINode& phi) const {
    return phi.getIncomingValue(phi.getIncomingBlock(0) == loop_->getLoopLatch() ? 1 : 0);
}
llvm::Value* LaneSlices::next(const llvm::PHINode& phi) const {
    return phi.getIncomingValueForBlock(loop_->getLoopLatch());
}

// ---- kinds

// Integers computed from lane masks.
void LaneSlices::find_masks() {
    const auto is_mask = [&](const llvm::Instruction& instruction) {
        if (llvm::isa<llvm::BitCastInst>(instruction)) {
            const llvm::Type* const from = instruction.getOperand(0)->getType();
            return instruction.getType()->isIntegerTy() && from->isVectorTy() &&
                   from->getScalarSizeInBits() == 1;
        }
        return instruction.getType()->isIntegerTy() && instruction.getType()->getIntegerBitWidth() > 1 &&
               !llvm::isa<llvm::CallInst>(instruction) &&
               std::ranges::any_of(instruction.operands(),
                                   [&](const llvm::Use& use) { return masks_.contains(use.get()); });
    };
    for (size_t before = SIZE_MAX; before != masks_.size();) {
        before = masks_.size();
        for (llvm::BasicBlock* const block : chain_.blocks)
            for (llvm::Instruction& instruction : *block)
                if (is_mask(instruction))
                    masks_.insert(&instruction);
    }
}

LaneKind LaneSlices::kind(const Value* value) const {
    if (!in_loop(value))
        return LaneKind::invariant;
    const auto found = kinds_.find(value);
    return found == kinds_.end() ? LaneKind::none : found->second;
}

bool LaneSlices::in_loop(const Value* value) const {
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return instruction != nullptr && loop_->contains(instruction);
}

bool LaneSlices::find_kinds() {
    for (llvm::PHINode& phi : loop_->getHeader()->phis()) // optimistic
        kinds_[&phi] = phi.getType()->isVectorTy() ? LaneKind::lanes
                       : masks_.contains(&phi)     ? LaneKind::mask
                                                   : LaneKind::uniform;
    for (int round = 0; round < max_rounds; ++round) {
        bool settled = true;
        for (llvm::BasicBlock* const block : chain_.blocks)
            for (llvm::Instruction& instruction : *block) {
                const LaneKind now = compute(instruction);
                const auto [at, added] = kinds_.try_emplace(&instruction, now);
                settled = settled && !added && at->second == now;
                at->second = now;
                if (now == LaneKind::mask && !is_clear(&instruction))
                    settled = !unclear_.insert(&instruction).second && settled;
            }
        if (settled)
            return true;
    }
    return false;
}

bool LaneSlices::divides(const llvm::Type* type) const {
    const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    return vector != nullptr && vector->getNumElements() % simd_ == 0;
}

// Has an equal part for each lane, or is invariant.
bool LaneSlices::is_lanes(const Value* value) const {
    const LaneKind found = kind(value);
    return found == LaneKind::lanes || (found == LaneKind::invariant && divides(value->getType()));
}

LaneKind LaneSlices::of_phi(llvm::PHINode& phi) const {
    if (phi.getParent() != loop_->getHeader()) {
        const LaneKind found = kind(source(&phi));
        if (found != LaneKind::invariant)
            return found;
        return divides(phi.getType()) ? LaneKind::lanes : LaneKind::none;
    }
    Value* const next_value = source(next(phi));
    const bool is_evaluated = !in_loop(next_value) || kinds_.contains(next_value);
    const LaneKind found = kind(next_value);
    if (is_evaluated && (found == LaneKind::none || found == LaneKind::test))
        return LaneKind::none;
    if (phi.getType()->isVectorTy())
        return divides(phi.getType()) ? LaneKind::lanes : LaneKind::none;
    if (!masks_.contains(&phi))
        return LaneKind::uniform;
    return phi.getType()->getIntegerBitWidth() >= simd_ ? LaneKind::mask : LaneKind::none;
}

LaneKind LaneSlices::compute(llvm::Instruction& instruction) const {
    if (auto* const phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
        return of_phi(*phi);
    if (const auto* const call = llvm::dyn_cast<MemoryIntrinsic>(&instruction))
        return of_intrinsic(*call);
    const auto kinds = [&](LaneKind one, LaneKind other) {
        return std::ranges::all_of(instruction.operands(), [&](const llvm::Use& use) {
            const LaneKind found = kind(source(use.get()));
            return found == one || found == other;
        });
    };
    const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (load != nullptr)
        return llvm::isa<SpeculatableLoad>(load) && !load->isVolatile() &&
                       kinds(LaneKind::invariant, LaneKind::invariant)
                   ? LaneKind::invariant
                   : LaneKind::none;
    if (instruction.isTerminator() || instruction.mayHaveSideEffects() || instruction.mayReadFromMemory() ||
        !llvm::isSafeToSpeculativelyExecute(&instruction))
        return LaneKind::none;
    if (kinds(LaneKind::invariant, LaneKind::invariant))
        return LaneKind::invariant;
    if (auto* const compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
        compare != nullptr && masks_.contains(source(compare->getOperand(0))))
        return of_compare(*compare);
    if (masks_.contains(&instruction))
        return of_mask(instruction);
    if (auto* const cast = llvm::dyn_cast<llvm::BitCastInst>(&instruction))
        return of_bitcast(*cast);
    if (auto* const shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction))
        return of_shuffle(*shuffle);
    if (instruction.getType()->isVectorTy())
        return of_vector(instruction);
    const bool scalars = std::ranges::none_of(
        instruction.operands(), [](const llvm::Use& use) { return use->getType()->isVectorTy(); });
    return scalars && kinds(LaneKind::invariant, LaneKind::uniform) ? LaneKind::uniform : LaneKind::none;
}

LaneKind LaneSlices::of_compare(llvm::ICmpInst& instruction) const {
    Value* const mask = source(instruction.getOperand(0));
    const auto* const zero = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
    const bool is_zero_test = instruction.isEquality() && zero != nullptr && zero->isZero();
    return is_zero_test && kind(mask) == LaneKind::mask && !unclear_.contains(mask) ? LaneKind::test
                                                                                    : LaneKind::none;
}

// A bitwise operation on masks.
LaneKind LaneSlices::of_mask(llvm::Instruction& instruction) const {
    if (instruction.getType()->getIntegerBitWidth() < simd_)
        return LaneKind::none;
    const auto is_bits = [&](Value* value) {
        const LaneKind found = kind(source(value));
        return value->getType()->isIntegerTy() && value->getType()->getIntegerBitWidth() >= simd_ &&
               (found == LaneKind::mask || found == LaneKind::invariant || found == LaneKind::uniform);
    };
    switch (instruction.getOpcode()) {
    case llvm::Instruction::And:
    case llvm::Instruction::Or:
    case llvm::Instruction::Xor:
        return is_bits(instruction.getOperand(0)) && is_bits(instruction.getOperand(1)) ? LaneKind::mask
                                                                                        : LaneKind::none;
    case llvm::Instruction::ZExt:
    case llvm::Instruction::Trunc:
    case llvm::Instruction::Freeze:
        return is_bits(instruction.getOperand(0)) ? LaneKind::mask : LaneKind::none;
    case llvm::Instruction::BitCast: {
        const auto* const from = llvm::cast<llvm::FixedVectorType>(instruction.getOperand(0)->getType());
        return from->getNumElements() == simd_ && is_lanes(source(instruction.getOperand(0)))
                   ? LaneKind::mask
                   : LaneKind::none;
    }
    default:
        return LaneKind::none;
    }
}

// True if all bits above the lanes' are zero. Optimistic for phis.
bool LaneSlices::is_clear(const Value* mask) const {
    const auto clear = [&](Value* value) {
        value = source(value);
        if (masks_.contains(value))
            return !unclear_.contains(value);
        if (!value->getType()->isIntegerTy())
            return true; // as many bits as lanes
        return is_narrow(value, simd_, max_depth);
    };
    const auto& instruction = llvm::cast<llvm::Instruction>(*mask);
    if (instruction.getType()->getIntegerBitWidth() <= simd_)
        return true;
    if (const auto* const phi = llvm::dyn_cast<llvm::PHINode>(mask))
        return phi->getParent() != loop_->getHeader()
                   ? clear(source(const_cast<Value*>(mask)))
                   : std::ranges::all_of(phi->incoming_values(),
                                         [&](const llvm::Use& use) { return clear(use.get()); });
    switch (instruction.getOpcode()) {
    case llvm::Instruction::And:
        return clear(instruction.getOperand(0)) || clear(instruction.getOperand(1));
    default:
        return std::ranges::all_of(instruction.operands(),
                                   [&](const llvm::Use& use) { return clear(use.get()); });
    }
}

LaneKind LaneSlices::of_bitcast(llvm::BitCastInst& instruction) const {
    Value* const from = source(instruction.getOperand(0));
    if (kind(from) == LaneKind::mask) { // to active lanes
        const auto* const type = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType());
        return type != nullptr && type->getNumElements() == simd_ && type->getScalarSizeInBits() == 1
                   ? LaneKind::lanes
                   : LaneKind::none;
    }
    if (kind(from) == LaneKind::uniform)
        return instruction.getType()->isVectorTy() ? LaneKind::none : LaneKind::uniform;
    return is_lanes(from) && divides(instruction.getType()) ? LaneKind::lanes : LaneKind::none;
}

// A splat, or a shuffle within each lane's part.
LaneKind LaneSlices::of_shuffle(llvm::ShuffleVectorInst& shuffle) const {
    if (!divides(shuffle.getType()))
        return LaneKind::none;
    if (const Value* const all = llvm::getSplatValue(&shuffle))
        return kind(source(const_cast<Value*>(all))) == LaneKind::uniform ? LaneKind::lanes : LaneKind::none;
    for (const llvm::Use& use : shuffle.operands())
        if (!llvm::isa<llvm::UndefValue>(use.get()) && !is_lanes(source(use.get())))
            return LaneKind::none;
    if (!divides(shuffle.getOperand(0)->getType()))
        return LaneKind::none;
    const auto from = static_cast<int>(
        llvm::cast<llvm::FixedVectorType>(shuffle.getOperand(0)->getType())->getNumElements());
    const int from_part = from / static_cast<int>(simd_);
    const llvm::ArrayRef<int> order = shuffle.getShuffleMask();
    const auto part = static_cast<int>(order.size() / simd_);
    for (int k = 0; k < static_cast<int>(order.size()); ++k) {
        const int first = order[static_cast<size_t>(k % part)];
        const int expected = first < 0 ? -1 : first + k / part * from_part;
        const bool own = first < 0 || first % from < from_part;
        if (!own || order[static_cast<size_t>(k)] != expected)
            return LaneKind::none;
    }
    return LaneKind::lanes;
}

LaneKind LaneSlices::of_intrinsic(const MemoryIntrinsic& call) const {
    const auto* const message = llvm::dyn_cast<LaneIntrinsic>(&call);
    const bool load = llvm::isa<MemLoad>(call);
    if (!load && !llvm::isa<RangeCheck>(call))
        return LaneKind::none;
    for (const llvm::Use& use : message->args()) {
        Value* const argument = source(use.get());
        const bool by_lane = use.get() == message->addresses() || use.get() == message->on();
        if (by_lane ? !is_lanes(argument) || lanes_of(argument) != simd_
                    : kind(argument) != LaneKind::invariant)
            return LaneKind::none;
    }
    return load ? LaneKind::lanes : LaneKind::test;
}

LaneKind LaneSlices::of_vector(llvm::Instruction& instruction) const {
    const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    const bool by_lane =
        llvm::isa<llvm::BinaryOperator>(instruction) || llvm::isa<llvm::UnaryOperator>(instruction) ||
        llvm::isa<llvm::CastInst>(instruction) || llvm::isa<llvm::CmpInst>(instruction) ||
        llvm::isa<llvm::SelectInst>(instruction) || llvm::isa<llvm::FreezeInst>(instruction) ||
        (call != nullptr && is_elementwise_intrinsic(call->getIntrinsicID()));
    if (!by_lane || !divides(instruction.getType()))
        return LaneKind::none;
    const auto operands = call != nullptr ? call->args() : instruction.operands();
    for (const llvm::Use& use : operands) {
        Value* const from = source(use.get());
        const LaneKind found = kind(from);
        const bool fits = from->getType()->isVectorTy()
                              ? is_lanes(from)
                              : found == LaneKind::invariant || found == LaneKind::uniform;
        if (!fits)
            return LaneKind::none;
    }
    return LaneKind::lanes;
}

} // namespace visor::jit
