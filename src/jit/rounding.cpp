#include "jit/rounding.h"

namespace visor::jit {

using llvm::Value;

// An exact result is `rounded`, to nearest, and `error` more. Where that is not nothing the odd one of the
// two neighbours stands for it: rounded once more to fewer bits, in any mode, it gives what the exact one
// gives.
Value* Rounder::odd(Value* rounded, Value* error) {
    Value* const zero = llvm::ConstantFP::getZero(error->getType());
    Value* const inexact = ir_.CreateFCmpONE(error, zero);
    Value* const pattern = emitter_.as(rounded, ir_.getInt64Ty());
    Value* const even = ir_.CreateICmpEQ(ir_.CreateAnd(pattern, bits(64, 1)), bits(64, 0));
    // Away from zero where the error has the result's sign.
    Value* const signs = ir_.CreateXor(pattern, emitter_.as(error, ir_.getInt64Ty()));
    Value* const step = ir_.CreateOr(ir_.CreateAShr(signs, bits(64, 63)), bits(64, 1));
    Value* const moved = ir_.CreateAdd(pattern, step);
    return emitter_.as(ir_.CreateSelect(ir_.CreateAnd(inexact, even), moved, pattern), ir_.getDoubleTy());
}

Value* Rounder::sum(Value* a, Value* b) {
    Value* const rounded = ir_.CreateFAdd(a, b);
    // What a + b is more than that, exactly.
    Value* const of_b = ir_.CreateFSub(rounded, a);
    Value* const of_a = ir_.CreateFSub(rounded, of_b);
    Value* const error = ir_.CreateFAdd(ir_.CreateFSub(a, of_a), ir_.CreateFSub(b, of_b));
    Value* const result = odd(rounded, error);
    if (rounding_ != Rounding::down)
        return result;
    // A sum of zero is negative here unless both numbers are positive.
    Value* const signs =
        ir_.CreateAnd(ir_.CreateOr(emitter_.as(a, ir_.getInt64Ty()), emitter_.as(b, ir_.getInt64Ty())),
                      bits(64, uint64_t{1} << 63U));
    Value* const nothing = ir_.CreateFCmpOEQ(result, llvm::ConstantFP::getZero(result->getType()));
    return ir_.CreateSelect(nothing, emitter_.as(signs, ir_.getDoubleTy()), result);
}

Value* Rounder::quotient(Value* a, Value* b) {
    Value* const rounded = ir_.CreateFDiv(a, b);
    Value* const rest =
        ir_.CreateIntrinsic(llvm::Intrinsic::fma, {a->getType()}, {ir_.CreateFNeg(rounded), b, a});
    Value* const sign =
        ir_.CreateAnd(emitter_.as(b, ir_.getInt64Ty()), bits(64, uint64_t{1} << 63U)); // of rest / b
    Value* const error =
        emitter_.as(ir_.CreateXor(emitter_.as(rest, ir_.getInt64Ty()), sign), ir_.getDoubleTy());
    return odd(rounded, error);
}

Value* Rounder::square_root(Value* a) {
    Value* const rounded = ir_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, a);
    Value* const rest =
        ir_.CreateIntrinsic(llvm::Intrinsic::fma, {a->getType()}, {ir_.CreateFNeg(rounded), rounded, a});
    return odd(rounded, rest);
}

Value* Rounder::corrected(Value* pattern, Value* value, Value* back, Rounding rounding) {
    const auto width = pattern->getType()->getScalarSizeInBits();
    const auto magnitude = [&](Value* number) {
        return ir_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, number);
    };
    Value* const one = bits(width, 1);
    if (rounding == Rounding::zero)
        return ir_.CreateSelect(ir_.CreateFCmpOGT(magnitude(back), magnitude(value)),
                                ir_.CreateSub(pattern, one), pattern);
    // One number up, or down: away from zero on that side, towards it on the other.
    const bool up = rounding == Rounding::up;
    Value* const wrong = up ? ir_.CreateFCmpOLT(back, value) : ir_.CreateFCmpOGT(back, value);
    Value* const sign = ir_.CreateAShr(pattern, bits(width, width - 1)); // 0 or -1
    Value* const step = ir_.CreateOr(up ? sign : ir_.CreateNot(sign), one);
    return ir_.CreateSelect(wrong, ir_.CreateAdd(pattern, step), pattern);
}

Value* Rounder::single(Value* value) {
    auto* const type = emitter_.vector(ir_.getFloatTy(), lanes_);
    Value* const nearest = ir_.CreateFPTrunc(value, type);
    if (rounding_ == Rounding::nearest_even)
        return nearest;
    Value* const back = ir_.CreateFPExt(nearest, value->getType());
    Value* const pattern = emitter_.as(nearest, ir_.getInt32Ty());
    return emitter_.as(corrected(pattern, value, back, rounding_), ir_.getFloatTy());
}

Value* Rounder::odd_single(Value* value) {
    auto* const type = emitter_.vector(ir_.getFloatTy(), lanes_);
    Value* const nearest = ir_.CreateFPTrunc(value, type);
    Value* const back = ir_.CreateFPExt(nearest, value->getType());
    Value* const pattern = emitter_.as(nearest, ir_.getInt32Ty());
    Value* const cut = corrected(pattern, value, back, Rounding::zero);
    Value* const last = ir_.CreateZExt(ir_.CreateFCmpONE(back, value), cut->getType());
    return emitter_.as(ir_.CreateOr(cut, last), ir_.getFloatTy());
}

Value* Rounder::half(Value* value) {
    Value* const nearest = ir_.CreateFPTrunc(value, emitter_.vector(ir_.getHalfTy(), lanes_));
    Value* const pattern = emitter_.as(nearest, ir_.getInt16Ty());
    if (rounding_ == Rounding::nearest_even)
        return pattern;
    return corrected(pattern, value, ir_.CreateFPExt(nearest, value->getType()), rounding_);
}

// A NaN stays one, quiet, with the upper bits of its payload.
Value* Rounder::bfloat(Value* value) {
    Value* const pattern = emitter_.as(value, ir_.getInt32Ty());
    Value* more = bits(32, 0); // what makes the upper half the next number where something is cut off
    Value* const sign = ir_.CreateAShr(pattern, bits(32, 31));
    switch (rounding_) {
    case Rounding::nearest_even:
        more = ir_.CreateAdd(ir_.CreateAnd(ir_.CreateLShr(pattern, bits(32, 16)), bits(32, 1)),
                             bits(32, 0x7fff));
        break;
    case Rounding::up:
        more = ir_.CreateAnd(ir_.CreateNot(sign), bits(32, 0xffff));
        break;
    case Rounding::down:
        more = ir_.CreateAnd(sign, bits(32, 0xffff));
        break;
    case Rounding::zero:
        break;
    }
    Value* const quiet = ir_.CreateOr(pattern, bits(32, 0x400000));
    Value* const chosen =
        ir_.CreateSelect(ir_.CreateFCmpUNO(value, value), quiet, ir_.CreateAdd(pattern, more));
    return ir_.CreateTrunc(ir_.CreateLShr(chosen, bits(32, 16)), emitter_.vector(ir_.getInt16Ty(), lanes_));
}

Value* Rounder::integral(Value* value) {
    switch (rounding_) {
    case Rounding::up:
        return ir_.CreateUnaryIntrinsic(llvm::Intrinsic::ceil, value);
    case Rounding::down:
        return ir_.CreateUnaryIntrinsic(llvm::Intrinsic::floor, value);
    case Rounding::zero:
        return ir_.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, value);
    default:
        return ir_.CreateUnaryIntrinsic(llvm::Intrinsic::roundeven, value);
    }
}

} // namespace visor::jit
