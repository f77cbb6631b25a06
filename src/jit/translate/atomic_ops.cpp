#include "jit/translate/atomic_ops.h"

#include "jit/translate/rounding.h"

namespace visor::jit {

using llvm::AtomicOrdering;
using llvm::AtomicRMWInst;

// ---- floats, as their bits

llvm::APInt LaneUpdate::sign() const {
    return llvm::APInt::getSignMask(bits_);
}
llvm::APInt LaneUpdate::infinity() const {
    const uint32_t mantissa = bits_ == 64 ? 52 : bits_ == 32 ? 23 : bfloat_ ? 7 : 10;
    return llvm::APInt::getBitsSet(bits_, mantissa, bits_ - 1);
}
llvm::Value* LaneUpdate::magnitude(Value* value) {
    return ir_.CreateAnd(value, ir_.getInt(~sign()));
}
llvm::Value* LaneUpdate::is_nan(Value* value) {
    return ir_.CreateICmpUGT(magnitude(value), ir_.getInt(infinity()));
}
// Ascends as the numbers do, -0 before +0 (ruling 25).
llvm::Value* LaneUpdate::rank(Value* value) {
    Value* const negative = ir_.CreateICmpSLT(value, number(0));
    return ir_.CreateSelect(negative, ir_.CreateNot(value), ir_.CreateOr(value, ir_.getInt(sign())));
}
// A NaN gives way to a number.
llvm::Value* LaneUpdate::extreme(Value* old, Value* value, bool maximum) {
    Value* const better =
        maximum ? ir_.CreateICmpUGT(rank(value), rank(old)) : ir_.CreateICmpULT(rank(value), rank(old));
    Value* const chosen = ir_.CreateSelect(ir_.CreateOr(is_nan(old), better), value, old);
    return ir_.CreateSelect(is_nan(value), old, chosen);
}
// A NaN equals nothing, the zeros equal each other.
llvm::Value* LaneUpdate::equal(Value* a, Value* b) {
    Value* const zeros = ir_.CreateICmpEQ(magnitude(ir_.CreateOr(a, b)), number(0));
    Value* const same = ir_.CreateAnd(ir_.CreateICmpEQ(a, b), ir_.CreateNot(is_nan(a)));
    return ir_.CreateOr(zeros, same);
}
// Of two narrow floats in single precision: rounded once more that is the exact sum's rounding.
llvm::Value* LaneUpdate::sum(Value* a, Value* b) {
    auto* const whole = ir_.getIntNTy(bits_);
    if (bits_ == 64)
        return ir_.CreateBitCast(
            ir_.CreateFAdd(ir_.CreateBitCast(a, ir_.getDoubleTy()), ir_.CreateBitCast(b, ir_.getDoubleTy())),
            whole);
    Value* const result = ir_.CreateFAdd(single(a), single(b));
    if (bits_ == 32)
        return ir_.CreateBitCast(result, whole);
    if (!bfloat_)
        return ir_.CreateBitCast(ir_.CreateFPTrunc(result, ir_.getHalfTy()), whole);
    return Rounder(emitter_, 1, number::Rounding::nearest_even).bfloat(result);
}
llvm::Value* LaneUpdate::single(Value* value) {
    if (bits_ == 32)
        return ir_.CreateBitCast(value, ir_.getFloatTy());
    if (!bfloat_)
        return ir_.CreateFPExt(ir_.CreateBitCast(value, ir_.getHalfTy()), ir_.getFloatTy());
    return ir_.CreateBitCast(ir_.CreateShl(ir_.CreateZExt(value, ir_.getInt32Ty()), 16), ir_.getFloatTy());
}

llvm::Value* LaneUpdate::number(uint64_t value) {
    return ir_.getIntN(bits_, value);
}

// What becomes of the old value.
llvm::Value* LaneUpdate::updated(Value* old, Value* first, Value* second) {
    switch (update_) {
    case Update::add:
        return ir_.CreateAdd(old, first);
    case Update::sub:
        return ir_.CreateSub(old, first);
    case Update::inc:
        return ir_.CreateAdd(old, number(1));
    case Update::dec:
    case Update::predec:
        return ir_.CreateSub(old, number(1));
    case Update::umin:
        return ir_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, old, first);
    case Update::umax:
        return ir_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, old, first);
    case Update::smin:
        return ir_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, old, first);
    case Update::smax:
        return ir_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, old, first);
    case Update::exchange:
        return first;
    case Update::compare_exchange:
        return ir_.CreateSelect(ir_.CreateICmpEQ(old, second), first, old);
    case Update::bit_and:
        return ir_.CreateAnd(old, first);
    case Update::bit_or:
        return ir_.CreateOr(old, first);
    case Update::bit_xor:
        return ir_.CreateXor(old, first);
    case Update::load:
        return old;
    case Update::fadd:
        return sum(old, first);
    case Update::fsub:
        return sum(old, ir_.CreateXor(first, ir_.getInt(sign())));
    case Update::fmin:
        return extreme(old, first, false);
    case Update::fmax:
        return extreme(old, first, true);
    case Update::fcompare_exchange:
        return ir_.CreateSelect(equal(old, first), second, old);
    }
    return old;
}

// Until nobody else came in between.
llvm::Value* LaneUpdate::exchanged(Value* at, Value* first, Value* second) {
    const llvm::Align alignment(bits_ / 8);
    auto* const datum = ir_.getIntNTy(bits_);
    llvm::LoadInst* const guess = ir_.CreateAlignedLoad(datum, at, alignment);
    guess->setAtomic(AtomicOrdering::Monotonic);
    llvm::BasicBlock* const before = ir_.GetInsertBlock();
    llvm::BasicBlock* const tries = emitter_.block("tries");
    llvm::BasicBlock* const done = emitter_.block("exchanged");
    ir_.CreateBr(tries);
    emitter_.begin(tries);
    llvm::PHINode* const old = ir_.CreatePHI(datum, 2);
    old->addIncoming(guess, before);
    Value* const now = updated(old, first, second);
    Value* const found = ir_.CreateAtomicCmpXchg(
        at, old, now, alignment, AtomicOrdering::SequentiallyConsistent, AtomicOrdering::Monotonic);
    old->addIncoming(ir_.CreateExtractValue(found, 0), ir_.GetInsertBlock());
    ir_.CreateCondBr(ir_.CreateExtractValue(found, 1), done, tries);
    emitter_.begin(done);
    return old;
}

llvm::Value* LaneUpdate::plain(Value* at, Value* first, Value* second) {
    const llvm::Align alignment(bits_ / 8);
    Value* const old = ir_.CreateAlignedLoad(ir_.getIntNTy(bits_), at, alignment);
    Value* const now = updated(old, first, second);
    ir_.CreateAlignedStore(now, at, alignment);
    return update_ == Update::predec ? now : old;
}

llvm::Value* LaneUpdate::atomic(Value* at, Value* first, Value* second) {
    const llvm::MaybeAlign alignment(bits_ / 8);
    const auto change = [&](AtomicRMWInst::BinOp op, Value* by) -> Value* {
        return ir_.CreateAtomicRMW(op, at, by, alignment, AtomicOrdering::SequentiallyConsistent);
    };
    switch (update_) {
    case Update::add:
        return change(AtomicRMWInst::Add, first);
    case Update::sub:
        return change(AtomicRMWInst::Sub, first);
    case Update::inc:
        return change(AtomicRMWInst::Add, number(1));
    case Update::dec:
        return change(AtomicRMWInst::Sub, number(1));
    case Update::predec:
        return ir_.CreateSub(change(AtomicRMWInst::Sub, number(1)), number(1));
    case Update::umin:
        return change(AtomicRMWInst::UMin, first);
    case Update::umax:
        return change(AtomicRMWInst::UMax, first);
    case Update::smin:
        return change(AtomicRMWInst::Min, first);
    case Update::smax:
        return change(AtomicRMWInst::Max, first);
    case Update::exchange:
        return change(AtomicRMWInst::Xchg, first);
    case Update::bit_and:
        return change(AtomicRMWInst::And, first);
    case Update::bit_or:
        return change(AtomicRMWInst::Or, first);
    case Update::bit_xor:
        return change(AtomicRMWInst::Xor, first);
    case Update::load:
        return change(AtomicRMWInst::Or, number(0));
    case Update::compare_exchange:
        return ir_.CreateExtractValue(ir_.CreateAtomicCmpXchg(at, second, first, alignment,
                                                              AtomicOrdering::SequentiallyConsistent,
                                                              AtomicOrdering::SequentiallyConsistent),
                                      0);
    default:
        return exchanged(at, first, second);
    }
}

} // namespace visor::jit
