#include "jit/translate/rounding.h"

#include "jit/ir/native_width.h"

#include <llvm/IR/IntrinsicsX86.h>

namespace visor::jit {

using llvm::Value;

// An exact result is `rounded` (to nearest) + `error`. If inexact, returns the odd one of its two neighbours.
// A second rounding to fewer bits, in any mode, then gives the exact result's rounding.
Value* Rounder::odd(Value* rounded, Value* error) {
    llvm::Type* const real = rounded->getType()->getScalarType();
    const uint32_t width = real->getScalarSizeInBits();
    llvm::Type* const integer = ir_.getIntNTy(width);
    Value* const zero = llvm::ConstantFP::getZero(error->getType());
    Value* const inexact = ir_.CreateFCmpONE(error, zero);
    Value* const pattern = translator_.as(rounded, integer);
    Value* const even = ir_.CreateICmpEQ(ir_.CreateAnd(pattern, bits(width, 1)), bits(width, 0));
    // Away from zero where the error has the result's sign.
    Value* const signs = ir_.CreateXor(pattern, translator_.as(error, integer));
    Value* const step = ir_.CreateOr(ir_.CreateAShr(signs, bits(width, width - 1)), bits(width, 1));
    Value* const moved = ir_.CreateAdd(pattern, step);
    return translator_.as(ir_.CreateSelect(ir_.CreateAnd(inexact, even), moved, pattern), real);
}

Value* Rounder::sum_error(Value* rounded, Value* a, Value* b) {
    Value* const of_b = ir_.CreateFSub(rounded, a);
    Value* const of_a = ir_.CreateFSub(rounded, of_b);
    return ir_.CreateFAdd(ir_.CreateFSub(a, of_a), ir_.CreateFSub(b, of_b));
}

Value* Rounder::sum(Value* a, Value* b) {
    Value* const rounded = ir_.CreateFAdd(a, b);
    Value* const result = odd(rounded, sum_error(rounded, a, b));
    if (rounding_ != Rounding::down)
        return result;
    // A sum of zero is negative here unless both numbers are positive.
    Value* const signs =
        ir_.CreateAnd(ir_.CreateOr(translator_.as(a, ir_.getInt64Ty()), translator_.as(b, ir_.getInt64Ty())),
                      bits(64, uint64_t{1} << 63U));
    Value* const nothing = ir_.CreateFCmpOEQ(result, llvm::ConstantFP::getZero(result->getType()));
    return ir_.CreateSelect(nothing, translator_.as(signs, ir_.getDoubleTy()), result);
}

Value* Rounder::quotient(Value* a, Value* b) {
    Value* const rounded = ir_.CreateFDiv(a, b);
    Value* const rest =
        ir_.CreateIntrinsic(llvm::Intrinsic::fma, {a->getType()}, {ir_.CreateFNeg(rounded), b, a});
    Value* const sign =
        ir_.CreateAnd(translator_.as(b, ir_.getInt64Ty()), bits(64, uint64_t{1} << 63U)); // of rest / b
    Value* const error =
        translator_.as(ir_.CreateXor(translator_.as(rest, ir_.getInt64Ty()), sign), ir_.getDoubleTy());
    return odd(rounded, error);
}

Value* Rounder::square_root(Value* a) {
    Value* const rounded = ir_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, a);
    Value* const rest =
        ir_.CreateIntrinsic(llvm::Intrinsic::fma, {a->getType()}, {ir_.CreateFNeg(rounded), rounded, a});
    return odd(rounded, rest);
}

Value* Rounder::product_sum_rounded_in_mode(Value* a, Value* b, Value* c) {
    constexpr uint32_t part = 8;
    constexpr uint32_t silent = 8; // suppress exceptions; the low bits are the direction
    const uint32_t direction = rounding_ == Rounding::zero ? 3 : rounding_ == Rounding::up ? 2 : 1;
    return in_native_width(ir_, {a, b, c}, part, [&](llvm::ArrayRef<Value*> own) {
        return ir_.CreateIntrinsic(llvm::Intrinsic::x86_avx512_vfmadd_pd_512, {},
                                   {own[0], own[1], own[2], ir_.getInt32(silent | direction)});
    });
}

// The fused result to nearest differs from the exact one by the sum of three doubles: the errors of the
// product and of its sum with c, and the difference of that sum and the result. The sign of that total says
// on which side the result is.
Value* Rounder::double_product_sum(Value* a, Value* b, Value* c, Value*& safe) {
    if (translator_.options().rounds) {
        Value* const rounded = product_sum_rounded_in_mode(a, b, c);
        safe = ir_.CreateFCmpORD(rounded, rounded);
        return rounded;
    }
    const auto fma = [&](Value* x, Value* y, Value* z) {
        return ir_.CreateIntrinsic(llvm::Intrinsic::fma, {x->getType()}, {x, y, z});
    };
    const auto number = [&](double value) { return llvm::ConstantFP::get(a->getType(), value); };
    Value* const result = fma(a, b, c);
    Value* const product = ir_.CreateFMul(a, b);
    Value* const product_rest = fma(a, b, ir_.CreateFNeg(product));
    Value* const total = ir_.CreateFAdd(product, c);
    Value* const total_rest = sum_error(total, product, c);
    Value* const rests = ir_.CreateFAdd(total_rest, product_rest);
    Value* const below_rests = sum_error(rests, total_rest, product_rest);
    Value* const distance = ir_.CreateFSub(total, result);
    Value* const upper = ir_.CreateFAdd(distance, rests);
    Value* const lower = ir_.CreateFAdd(sum_error(upper, distance, rests), below_rests);
    Value* const error = ir_.CreateFAdd(upper, lower);

    const auto magnitude = [&](Value* value) {
        return ir_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value);
    };
    const auto ordinary = [&](Value* value) {
        return ir_.CreateAnd(ir_.CreateFCmpOGT(magnitude(value), number(0x1p-800)),
                             ir_.CreateFCmpOLT(magnitude(value), number(0x1p1000)));
    };
    const auto is_zero = [&](Value* value) { return ir_.CreateFCmpOEQ(value, number(0)); };
    Value* const factors = ir_.CreateOr(ordinary(product), ir_.CreateOr(is_zero(a), is_zero(b)));
    Value* const addend = ir_.CreateOr(ordinary(c), is_zero(c));
    safe = ir_.CreateAnd(factors, addend);
    safe = ir_.CreateAnd(safe, rounding_ == Rounding::down
                                   ? ordinary(result) // zeros have another sign in this mode
                                   : ir_.CreateOr(ordinary(result), is_zero(result)));

    Value* const pattern = translator_.as(result, ir_.getInt64Ty());
    Value* const sign = ir_.CreateAShr(pattern, bits(64, 63)); // 0 or -1
    Value* const one = bits(64, 1);
    Value* wrong = nullptr;
    Value* step = nullptr;
    if (rounding_ == Rounding::zero) { // the exact number is nearer to zero
        Value* const signs = ir_.CreateXor(pattern, translator_.as(error, ir_.getInt64Ty()));
        wrong = ir_.CreateAnd(ir_.CreateFCmpONE(error, number(0)), ir_.CreateICmpSLT(signs, bits(64, 0)));
        step = bits(64, UINT64_MAX);
    } else if (rounding_ == Rounding::up) {
        wrong = ir_.CreateFCmpOGT(error, number(0));
        step = ir_.CreateOr(sign, one);
    } else {
        wrong = ir_.CreateFCmpOLT(error, number(0));
        step = ir_.CreateOr(ir_.CreateNot(sign), one);
    }
    return translator_.as(ir_.CreateSelect(wrong, ir_.CreateAdd(pattern, step), pattern), ir_.getDoubleTy());
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
    // One unit up or down: away from zero on that side, towards it on the other.
    const bool up = rounding == Rounding::up;
    Value* const wrong = up ? ir_.CreateFCmpOLT(back, value) : ir_.CreateFCmpOGT(back, value);
    Value* const sign = ir_.CreateAShr(pattern, bits(width, width - 1)); // 0 or -1
    Value* const step = ir_.CreateOr(up ? sign : ir_.CreateNot(sign), one);
    return ir_.CreateSelect(wrong, ir_.CreateAdd(pattern, step), pattern);
}

Value* Rounder::single(Value* value) {
    auto* const type = translator_.vector(ir_.getFloatTy(), lanes_);
    Value* const nearest = ir_.CreateFPTrunc(value, type);
    if (rounding_ == Rounding::nearest_even)
        return nearest;
    Value* const back = ir_.CreateFPExt(nearest, value->getType());
    Value* const pattern = translator_.as(nearest, ir_.getInt32Ty());
    return translator_.as(corrected(pattern, value, back, rounding_), ir_.getFloatTy());
}

Value* Rounder::odd_single(Value* value) {
    auto* const type = translator_.vector(ir_.getFloatTy(), lanes_);
    Value* const nearest = ir_.CreateFPTrunc(value, type);
    Value* const back = ir_.CreateFPExt(nearest, value->getType());
    Value* const pattern = translator_.as(nearest, ir_.getInt32Ty());
    Value* const cut = corrected(pattern, value, back, Rounding::zero);
    Value* const last = ir_.CreateZExt(ir_.CreateFCmpONE(back, value), cut->getType());
    return translator_.as(ir_.CreateOr(cut, last), ir_.getFloatTy());
}

Value* Rounder::half(Value* value) {
    Value* const nearest = ir_.CreateFPTrunc(value, translator_.vector(ir_.getHalfTy(), lanes_));
    Value* const pattern = translator_.as(nearest, ir_.getInt16Ty());
    if (rounding_ == Rounding::nearest_even)
        return pattern;
    return corrected(pattern, value, ir_.CreateFPExt(nearest, value->getType()), rounding_);
}

// A NaN becomes quiet and keeps the upper bits of its payload.
Value* Rounder::bfloat(Value* value) {
    Value* const pattern = translator_.as(value, ir_.getInt32Ty());
    Value* more = bits(32, 0); // increments the upper half if truncated bits demand it
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
    return ir_.CreateTrunc(ir_.CreateLShr(chosen, bits(32, 16)),
                           translator_.vector(ir_.getInt16Ty(), lanes_));
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
