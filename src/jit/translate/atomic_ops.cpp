#include "jit/translate/atomic_ops.h"

#include "jit/translate/rounding.h"

namespace visor::jit {

using llvm::AtomicOrdering;
using llvm::AtomicRMWInst;

// ---- floats, as their bits

llvm::APInt LaneAtomicOp::sign() const {
    return llvm::APInt::getSignMask(bits_);
}
llvm::APInt LaneAtomicOp::infinity() const {
    const uint32_t mantissa = bits_ == 64 ? 52 : bits_ == 32 ? 23 : bfloat_ ? 7 : 10;
    return llvm::APInt::getBitsSet(bits_, mantissa, bits_ - 1);
}
llvm::Value* LaneAtomicOp::magnitude(Value* value) {
    return ir_.CreateAnd(value, ir_.getInt(~sign()));
}
llvm::Value* LaneAtomicOp::is_nan(Value* value) {
    return ir_.CreateICmpUGT(magnitude(value), ir_.getInt(infinity()));
}
// Ascends as the numbers do, -0 before +0 (ruling 25).
llvm::Value* LaneAtomicOp::rank(Value* value) {
    Value* const negative = ir_.CreateICmpSLT(value, number(0));
    return ir_.CreateSelect(negative, ir_.CreateNot(value), ir_.CreateOr(value, ir_.getInt(sign())));
}
// A number is preferred to a NaN.
llvm::Value* LaneAtomicOp::extreme(Value* old, Value* value, bool maximum) {
    Value* const better =
        maximum ? ir_.CreateICmpUGT(rank(value), rank(old)) : ir_.CreateICmpULT(rank(value), rank(old));
    Value* const chosen = ir_.CreateSelect(ir_.CreateOr(is_nan(old), better), value, old);
    return ir_.CreateSelect(is_nan(value), old, chosen);
}
// A NaN equals nothing, the zeros equal each other.
llvm::Value* LaneAtomicOp::equal(Value* a, Value* b) {
    Value* const zeros = ir_.CreateICmpEQ(magnitude(ir_.CreateOr(a, b)), number(0));
    Value* const same = ir_.CreateAnd(ir_.CreateICmpEQ(a, b), ir_.CreateNot(is_nan(a)));
    return ir_.CreateOr(zeros, same);
}
// Narrow floats are added in single precision: rounded once more that is the exact sum's rounding.
llvm::Value* LaneAtomicOp::sum(Value* a, Value* b) {
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
    return Rounder(translator_, 1, number::Rounding::nearest_even).bfloat(result);
}
llvm::Value* LaneAtomicOp::single(Value* value) {
    if (bits_ == 32)
        return ir_.CreateBitCast(value, ir_.getFloatTy());
    if (!bfloat_)
        return ir_.CreateFPExt(ir_.CreateBitCast(value, ir_.getHalfTy()), ir_.getFloatTy());
    return ir_.CreateBitCast(ir_.CreateShl(ir_.CreateZExt(value, ir_.getInt32Ty()), 16), ir_.getFloatTy());
}

llvm::Value* LaneAtomicOp::number(uint64_t value) {
    return ir_.getIntN(bits_, value);
}

// The new value.
llvm::Value* LaneAtomicOp::updated(Value* old, Value* first, Value* second) {
    switch (update_) {
    case AtomicOp::add:
        return ir_.CreateAdd(old, first);
    case AtomicOp::sub:
        return ir_.CreateSub(old, first);
    case AtomicOp::inc:
        return ir_.CreateAdd(old, number(1));
    case AtomicOp::dec:
    case AtomicOp::predec:
        return ir_.CreateSub(old, number(1));
    case AtomicOp::umin:
        return ir_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, old, first);
    case AtomicOp::umax:
        return ir_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, old, first);
    case AtomicOp::smin:
        return ir_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, old, first);
    case AtomicOp::smax:
        return ir_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, old, first);
    case AtomicOp::exchange:
        return first;
    case AtomicOp::compare_exchange:
        return ir_.CreateSelect(ir_.CreateICmpEQ(old, second), first, old);
    case AtomicOp::bit_and:
        return ir_.CreateAnd(old, first);
    case AtomicOp::bit_or:
        return ir_.CreateOr(old, first);
    case AtomicOp::bit_xor:
        return ir_.CreateXor(old, first);
    case AtomicOp::load:
        return old;
    case AtomicOp::fadd:
        return sum(old, first);
    case AtomicOp::fsub:
        return sum(old, ir_.CreateXor(first, ir_.getInt(sign())));
    case AtomicOp::fmin:
        return extreme(old, first, false);
    case AtomicOp::fmax:
        return extreme(old, first, true);
    case AtomicOp::fcompare_exchange:
        return ir_.CreateSelect(equal(old, first), second, old);
    }
    return old;
}

// Repeats until no other thread has intervened.
llvm::Value* LaneAtomicOp::exchanged(Value* at, Value* first, Value* second) {
    const llvm::Align alignment(bits_ / 8);
    auto* const datum = ir_.getIntNTy(bits_);
    llvm::LoadInst* const guess = ir_.CreateAlignedLoad(datum, at, alignment);
    guess->setAtomic(AtomicOrdering::Monotonic);
    llvm::BasicBlock* const before = ir_.GetInsertBlock();
    llvm::BasicBlock* const tries = translator_.block("tries");
    llvm::BasicBlock* const done = translator_.block("exchanged");
    ir_.CreateBr(tries);
    translator_.begin(tries);
    llvm::PHINode* const old = ir_.CreatePHI(datum, 2);
    old->addIncoming(guess, before);
    Value* const now = updated(old, first, second);
    Value* const found = ir_.CreateAtomicCmpXchg(
        at, old, now, alignment, AtomicOrdering::SequentiallyConsistent, AtomicOrdering::Monotonic);
    old->addIncoming(ir_.CreateExtractValue(found, 0), ir_.GetInsertBlock());
    ir_.CreateCondBr(ir_.CreateExtractValue(found, 1), done, tries);
    translator_.begin(done);
    return old;
}

llvm::Value* LaneAtomicOp::plain(Value* at, Value* first, Value* second) {
    const llvm::Align alignment(bits_ / 8);
    Value* const old = ir_.CreateAlignedLoad(ir_.getIntNTy(bits_), at, alignment);
    Value* const now = updated(old, first, second);
    ir_.CreateAlignedStore(now, at, alignment);
    return update_ == AtomicOp::predec ? now : old;
}

llvm::Value* LaneAtomicOp::atomic(Value* at, Value* first, Value* second) {
    const llvm::MaybeAlign alignment(bits_ / 8);
    const auto change = [&](AtomicRMWInst::BinOp op, Value* by) -> Value* {
        return ir_.CreateAtomicRMW(op, at, by, alignment, AtomicOrdering::SequentiallyConsistent);
    };
    switch (update_) {
    case AtomicOp::add:
        return change(AtomicRMWInst::Add, first);
    case AtomicOp::sub:
        return change(AtomicRMWInst::Sub, first);
    case AtomicOp::inc:
        return change(AtomicRMWInst::Add, number(1));
    case AtomicOp::dec:
        return change(AtomicRMWInst::Sub, number(1));
    case AtomicOp::predec:
        return ir_.CreateSub(change(AtomicRMWInst::Sub, number(1)), number(1));
    case AtomicOp::umin:
        return change(AtomicRMWInst::UMin, first);
    case AtomicOp::umax:
        return change(AtomicRMWInst::UMax, first);
    case AtomicOp::smin:
        return change(AtomicRMWInst::Min, first);
    case AtomicOp::smax:
        return change(AtomicRMWInst::Max, first);
    case AtomicOp::exchange:
        return change(AtomicRMWInst::Xchg, first);
    case AtomicOp::bit_and:
        return change(AtomicRMWInst::And, first);
    case AtomicOp::bit_or:
        return change(AtomicRMWInst::Or, first);
    case AtomicOp::bit_xor:
        return change(AtomicRMWInst::Xor, first);
    case AtomicOp::load:
        return change(AtomicRMWInst::Or, number(0));
    case AtomicOp::compare_exchange:
        return ir_.CreateExtractValue(ir_.CreateAtomicCmpXchg(at, second, first, alignment,
                                                              AtomicOrdering::SequentiallyConsistent,
                                                              AtomicOrdering::SequentiallyConsistent),
                                      0);
    default:
        return exchanged(at, first, second);
    }
}

} // namespace visor::jit
