#include "jit/translate/texel_values.h"

#include "jit/translate/rounding.h"

namespace visor::jit {

namespace {

using llvm::Value;
using machine::ChannelKind;
using machine::TexelLayout;

constexpr uint32_t float_one = 0x3f800000;
constexpr uint32_t float_sign = 0x80000000;
constexpr uint32_t float_exponent = 0x7f800000;

} // namespace

Value* TexelValues::real(double value) {
    return llvm::ConstantFP::get(translator_.vector(ir_.getFloatTy(), lanes_), value);
}

bool TexelValues::can_read() const {
    return layout_.bytes != 0 && !layout_.srgb;
}

bool TexelValues::can_write() const {
    return can_read() && (layout_.kind != ChannelKind::half_float || translator_.options().half_convert);
}

uint32_t TexelValues::words_of(uint32_t mask) const {
    uint32_t words = 0;
    for (size_t c = 0; c < 4; ++c)
        if ((mask >> c & 1U) != 0 && layout_.channels[c] >= 0)
            words |= 1U << (layout_.first_bit[static_cast<uint8_t>(layout_.channels[c])] / 32U);
    return words;
}

// ---- from memory

Value* TexelValues::unsigned_in(Value* word, size_t stored) {
    return ir_.CreateAnd(ir_.CreateLShr(word, bits(layout_.first_bit[stored] % 32U)), bits(mask_of(stored)));
}

Value* TexelValues::signed_in(Value* word, size_t stored) {
    const uint32_t count = layout_.bits[stored];
    Value* const high = ir_.CreateShl(word, bits(32U - layout_.first_bit[stored] % 32U - count));
    return ir_.CreateAShr(high, bits(32U - count));
}

// The rounded quotient of an integer of at most 16 bits and 2^n - 1: by the rounded reciprocal, and the
// remainder of that product. texel_values_test tries all of them.
Value* TexelValues::quotient(Value* number, double divisor) {
    if (!translator_.options().fma)
        return ir_.CreateFDiv(number, real(divisor));
    const auto fma = [&](Value* a, Value* b, Value* c) {
        return ir_.CreateIntrinsic(llvm::Intrinsic::fma, {a->getType()}, {a, b, c});
    };
    Value* const reciprocal = real(1.0F / static_cast<float>(divisor));
    Value* const first = ir_.CreateFMul(number, reciprocal);
    Value* const rest = fma(ir_.CreateFNeg(first), real(divisor), number);
    return fma(rest, reciprocal, first);
}

// A denormal is read as the mantissa of 2^-14 and that 2^-14 taken away again, which is exact. NaN keep their
// bits.
Value* TexelValues::half_to_float(Value* half) {
    constexpr uint32_t bias = 112U << 23U;
    Value* const sign = ir_.CreateShl(ir_.CreateAnd(half, bits(0x8000)), bits(16));
    Value* const magnitude = ir_.CreateShl(ir_.CreateAnd(half, bits(0x7fff)), bits(13));
    Value* const special =
        ir_.CreateSelect(ir_.CreateICmpUGE(magnitude, bits(0x0f800000)), bits(2 * bias), bits(bias));
    Value* const scaled = as_float(ir_.CreateAdd(magnitude, bits(113U << 23U)));
    Value* const denormal = as_bits(ir_.CreateFSub(scaled, real(0x1p-14)));
    Value* const number = ir_.CreateSelect(ir_.CreateICmpULT(magnitude, bits(0x00800000)), denormal,
                                           ir_.CreateAdd(magnitude, special));
    return ir_.CreateOr(number, sign);
}

Value* TexelValues::decode(const Words& words, uint32_t channel) {
    const int8_t at = layout_.channels[channel];
    if (at < 0) {
        const uint32_t one = layout_.is_integer() ? 1U : float_one;
        return bits(at == TexelLayout::one ? one : 0U);
    }
    const auto stored = static_cast<uint8_t>(at);
    Value* const word = words[layout_.first_bit[stored] / 32U];
    auto* const floats = translator_.vector(ir_.getFloatTy(), lanes_);
    switch (layout_.kind) {
    case ChannelKind::unorm:
        return as_bits(quotient(ir_.CreateSIToFP(unsigned_in(word, stored), floats), mask_of(stored)));
    case ChannelKind::snorm: { // the smallest number is -1, too
        Value* const number = ir_.CreateSIToFP(signed_in(word, stored), floats);
        Value* const value = quotient(number, mask_of(stored) >> 1U);
        return as_bits(ir_.CreateSelect(ir_.CreateFCmpOLT(value, real(-1)), real(-1), value));
    }
    case ChannelKind::signed_int:
        return signed_in(word, stored);
    case ChannelKind::unsigned_int:
        return unsigned_in(word, stored);
    case ChannelKind::half_float:
        return half_to_float(unsigned_in(word, stored));
    case ChannelKind::float32:
        break;
    }
    return word;
}

Value* TexelValues::flushed(Value* channel) {
    Value* const is_tiny = ir_.CreateICmpEQ(ir_.CreateAnd(channel, bits(float_exponent)), bits(0));
    return ir_.CreateSelect(is_tiny, ir_.CreateAnd(channel, bits(float_sign)), channel);
}

// ---- to memory

// Clamped to [low, 1], times `most`, to nearest even; NaN is 0. The low bits of a number to which 1.5 * 2^n
// is added, n the bits of the mantissa behind the point, are the rounded integer: in single precision by a
// fused multiplication, in double precision because the product is exact.
Value* TexelValues::normalized(Value* value, double low, double most) {
    Value* const given = as_float(value);
    Value* const number = ir_.CreateSelect(ir_.CreateFCmpUNO(given, given), real(0), given);
    Value* const above = ir_.CreateSelect(ir_.CreateFCmpOLT(number, real(low)), real(low), number);
    Value* const clamped = ir_.CreateSelect(ir_.CreateFCmpOLT(above, real(1)), above, real(1));
    if (translator_.options().fma) {
        Value* const sum = ir_.CreateIntrinsic(llvm::Intrinsic::fma, {clamped->getType()},
                                               {clamped, real(most), real(0x1.8p23)});
        return as_bits(sum);
    }
    auto* const doubles = translator_.vector(ir_.getDoubleTy(), lanes_);
    const auto constant = [&](double number_of_all) { return llvm::ConstantFP::get(doubles, number_of_all); };
    Value* const product = ir_.CreateFMul(ir_.CreateFPExt(clamped, doubles), constant(most));
    Value* const sum = ir_.CreateFAdd(product, constant(0x1.8p52));
    return ir_.CreateTrunc(translator_.as(sum, ir_.getInt64Ty()),
                           translator_.vector(ir_.getInt32Ty(), lanes_));
}

Value* TexelValues::encode_channel(Value* value, size_t stored) {
    const uint32_t mask = mask_of(stored);
    switch (layout_.kind) {
    case ChannelKind::unorm:
        return normalized(value, 0, mask);
    case ChannelKind::snorm:
        return normalized(value, -1, mask >> 1U);
    case ChannelKind::signed_int: { // saturated
        const uint32_t most = mask >> 1U;
        Value* const below = ir_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, value, bits(most));
        return ir_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, below, bits(~most));
    }
    case ChannelKind::unsigned_int:
        return ir_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, value, bits(mask));
    case ChannelKind::half_float:
        return ir_.CreateZExt(
            Rounder(translator_, lanes_, number::Rounding::nearest_even).half(as_float(value)),
            value->getType());
    case ChannelKind::float32:
        break;
    }
    return value;
}

TexelValues::Words TexelValues::encode(const Pixels& pixels) {
    Words words{};
    for (size_t i = 0; i < layout_.stored; ++i) {
        Value* const number = ir_.CreateAnd(encode_channel(pixels[layout_.stores[i]], i), bits(mask_of(i)));
        Value* const placed = ir_.CreateShl(number, bits(layout_.first_bit[i] % 32U));
        Value*& word = words[layout_.first_bit[i] / 32U];
        word = word == nullptr ? placed : ir_.CreateOr(word, placed);
    }
    return words;
}

} // namespace visor::jit
