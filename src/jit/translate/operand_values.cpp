#include "jit/translate/operand_values.h"

#include "jit/translate/rounding.h"

namespace visor::jit {

using isa::Type;
using llvm::Value;

Values::Values(Translator& translator, const PreparedInstruction& instruction, size_t first)
    : translator_(translator), ir_(translator.ir()), instruction_(instruction), first_(first),
      lanes_(instruction.execution.size) {}

bool Values::fits(size_t count) const {
    if (instruction_.operand_count < first_ + 1 + count || !is_vector_destination(destination()))
        return false;
    for (size_t k = 0; k < count; ++k)
        if (!is_vector_source(source(k)))
            return false;
    return true;
}

bool Values::integers(size_t count) const {
    if (!fits(count) || !isa::is_integer(destination().type))
        return false;
    for (size_t k = 0; k < count; ++k)
        if (!is_integer(source(k)))
            return false;
    return true;
}

bool Values::floats(size_t count) const {
    if (!fits(count) || !is_computed_float(destination().type))
        return false;
    for (size_t k = 0; k < count; ++k)
        if (!is_float(source(k)))
            return false;
    return true;
}

uint32_t Values::widest(size_t count) const {
    uint32_t bits = 0;
    for (size_t k = 0; k < count; ++k)
        bits = std::max(bits, bits_of_type(source(k)));
    return bits;
}

bool Values::any_modifier(size_t count) const {
    for (size_t k = 0; k < count; ++k)
        if (source(k).modifier != SourceModifier::none)
            return true;
    return false;
}

std::optional<FloatMode> Values::mode() const {
    const auto bits = translator_.float_mode();
    return bits ? std::optional(FloatMode{*bits}) : std::nullopt;
}

Value* Values::raw(size_t k) {
    return translator_.load_bits(source(k), lanes_);
}

Value* Values::integer(size_t k, uint32_t bits) {
    const PreparedOperand& at = source(k);
    const bool is_signed = isa::is_signed(element_type(at.type));
    const uint32_t wide = std::max(bits, bits_of_type(at));
    auto* const type = translator_.vector(translator_.integer(wide), lanes_);
    Value* value = raw(k);
    const bool wraps = is_signed && at.modifier == SourceModifier::neg; // at its own width (ruling 146)
    if (wraps)
        value = ir_.CreateNeg(value);
    value = is_signed ? ir_.CreateSExt(value, type) : ir_.CreateZExt(value, type);
    const auto magnitude = [&] {
        if (!is_signed)
            return value;
        Value* const negative = ir_.CreateICmpSLT(value, llvm::Constant::getNullValue(type));
        return ir_.CreateSelect(negative, ir_.CreateNeg(value), value);
    };
    switch (at.modifier) {
    case SourceModifier::neg:
        value = wraps ? value : ir_.CreateNeg(value);
        break;
    case SourceModifier::abs:
        value = magnitude();
        break;
    case SourceModifier::neg_abs:
        value = ir_.CreateNeg(magnitude());
        break;
    case SourceModifier::bit_not:
        value = ir_.CreateNot(value);
        break;
    default:
        break;
    }
    return ir_.CreateTrunc(value, translator_.vector(translator_.integer(bits), lanes_));
}

bool Values::store_integer(const PreparedOperand& to, Value* value, const Mask& mask) {
    const uint32_t bits = 8U * isa::size_of(to.type);
    Value* const low = value->getType()->getScalarSizeInBits() > bits
                           ? ir_.CreateTrunc(value, translator_.vector(translator_.integer(bits), lanes_))
                           : value;
    return translator_.store_bits(to, low, mask);
}

bool Values::store_clamped(Value* value, const Mask& mask) {
    const Type type = destination().type;
    const uint32_t to = 8U * isa::size_of(type);
    const uint32_t bits = value->getType()->getScalarSizeInBits();
    const auto limit = [&](const llvm::APInt& number) {
        return translator_.splat(llvm::ConstantInt::get(ir_.getContext(), number), lanes_);
    };
    const bool is_signed = isa::is_signed(type);
    const llvm::APInt low = is_signed ? llvm::APInt::getSignedMinValue(to).sext(bits) : llvm::APInt(bits, 0);
    value = ir_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, value, limit(low));
    if (is_signed || to < bits) { // else no value exceeds the maximum
        const llvm::APInt high = is_signed ? llvm::APInt::getSignedMaxValue(to).sext(bits)
                                           : llvm::APInt::getMaxValue(to).zext(bits);
        value = ir_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, value, limit(high));
    }
    return store_integer(value, mask);
}

// ---- floats

Value* Values::real(size_t k, bool single) {
    const PreparedOperand& at = source(k);
    auto* const float_type = translator_.vector(ir_.getFloatTy(), lanes_);
    auto* const double_type = translator_.vector(ir_.getDoubleTy(), lanes_);
    Value* value = raw(k);
    switch (element_type(at.type)) {
    case Type::hf:
        value = ir_.CreateFPExt(translator_.as(value, ir_.getHalfTy()), float_type);
        break;
    case Type::bf: {
        auto* const dwords = translator_.vector(ir_.getInt32Ty(), lanes_);
        value = translator_.as(ir_.CreateShl(ir_.CreateZExt(value, dwords), 16), ir_.getFloatTy());
        break;
    }
    case Type::df:
        value = translator_.as(value, ir_.getDoubleTy());
        break;
    default:
        value = translator_.as(value, ir_.getFloatTy());
        break;
    }
    if (at.modifier == SourceModifier::abs || at.modifier == SourceModifier::neg_abs)
        value = ir_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value);
    if (at.modifier == SourceModifier::neg || at.modifier == SourceModifier::neg_abs)
        value = ir_.CreateFNeg(value);
    if (!single && value->getType()->getScalarType()->isFloatTy())
        value = ir_.CreateFPExt(value, double_type);
    return value;
}

// Denormals become zeros of the same sign. Magnitudes are ordered like their bits.
Value* Values::flushed(Value* value, Type type) {
    const bool is_double = value->getType()->getScalarType()->isDoubleTy();
    const uint32_t bits = is_double ? 64 : 32;
    const uint64_t sign = uint64_t{1} << (bits - 1);
    uint64_t smallest = 0;
    if (is_double)
        smallest = std::bit_cast<uint64_t>(type == Type::df   ? 0x1p-1022
                                           : type == Type::hf ? 0x1p-14
                                                              : 0x1p-126);
    else
        smallest = std::bit_cast<uint32_t>(type == Type::hf ? 0x1p-14F : 0x1p-126F);
    Value* const pattern = translator_.as(value, translator_.integer(bits));
    Value* const magnitude = ir_.CreateAnd(pattern, translator_.constant(bits, ~sign, lanes_));
    Value* const small = ir_.CreateICmpULT(magnitude, translator_.constant(bits, smallest, lanes_));
    Value* const zero = ir_.CreateAnd(pattern, translator_.constant(bits, sign, lanes_));
    return ir_.CreateBitCast(ir_.CreateSelect(small, zero, pattern), value->getType());
}

bool Values::can_load_real(size_t count) const {
    for (size_t k = 0; k < count; ++k)
        if (element_type(source(k).type) == Type::hf && !translator_.options().half_convert)
            return false;
    return true;
}

bool Values::can_store_real() const {
    return is_computed_float(destination().type) &&
           (destination().type != Type::hf || translator_.options().half_convert);
}

bool Values::store_real(Value* value, const Mask& mask) {
    const PreparedOperand& to = destination();
    const bool single = value->getType()->getScalarType()->isFloatTy();
    if (to.type == Type::df && single)
        value = ir_.CreateFPExt(value, translator_.vector(ir_.getDoubleTy(), lanes_));
    if (instruction_.saturate) { // to [0, 1]; a NaN to 0
        Value* const zero = llvm::Constant::getNullValue(value->getType());
        Value* const one = llvm::ConstantFP::get(value->getType(), 1.0);
        Value* const capped = ir_.CreateSelect(ir_.CreateFCmpOLT(value, one), value, one);
        value = ir_.CreateSelect(ir_.CreateFCmpOGT(value, zero), capped, zero);
    }
    const bool flush = !mode()->keeps(to.type);
    Rounder rounder(translator_, lanes_, mode()->rounding());
    const auto to_narrow = [&] { return single ? value : rounder.odd_single(value); };
    Value* bits = nullptr;
    uint64_t infinity = 0;
    switch (to.type) {
    case Type::hf:
        bits = rounder.half(to_narrow());
        infinity = 0x7c00;
        break;
    case Type::bf:
        bits = rounder.bfloat(to_narrow());
        infinity = 0x7f80;
        break;
    case Type::f:
        bits = translator_.as(single ? value : rounder.single(value), ir_.getInt32Ty());
        infinity = 0x7f800000;
        break;
    default:
        bits = translator_.as(value, ir_.getInt64Ty());
        infinity = 0x7ff0000000000000;
        break;
    }
    if (flush) {
        const auto size = bits->getType()->getScalarSizeInBits();
        Value* const exponent = ir_.CreateAnd(bits, translator_.constant(size, infinity, lanes_));
        Value* const small = ir_.CreateICmpEQ(exponent, translator_.constant(size, 0, lanes_));
        Value* const sign =
            ir_.CreateAnd(bits, translator_.constant(size, uint64_t{1} << (size - 1), lanes_));
        bits = ir_.CreateSelect(small, sign, bits);
    }
    return translator_.store_bits(to, bits, mask);
}

} // namespace visor::jit
