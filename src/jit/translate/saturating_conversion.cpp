#include "jit/translate/saturating_conversion.h"

#include <cmath>

namespace visor::jit {

namespace {

using llvm::Value;

class Conversion {
public:
    Conversion(llvm::IRBuilder<>& ir, Value* number, bool is_signed, unsigned bits, bool avx512)
        : ir_(ir), number_(number), real_(number->getType()), is_signed_(is_signed), bits_(bits),
          avx512_(avx512) {}

    Value* build() {
        if (bits_ == 64 && !avx512_)
            return ir_.CreateIntrinsic(is_signed_ ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat,
                                       {integers(bits_), real_}, {number_});
        Value* const clamped = clamp();
        if (!is_signed_)
            return clamped; // a NaN was not above 0
        return ir_.CreateSelect(ir_.CreateFCmpORD(number_, number_), clamped,
                                llvm::Constant::getNullValue(clamped->getType()));
    }

private:
    [[nodiscard]] bool is_double() const { return real_->getScalarType()->isDoubleTy(); }
    [[nodiscard]] llvm::Constant* real(double value) const { return llvm::ConstantFP::get(real_, value); }
    [[nodiscard]] llvm::Type* integers(unsigned bits) const {
        llvm::Type* const one = ir_.getIntNTy(bits);
        const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(real_);
        return vector == nullptr ? one : llvm::FixedVectorType::get(one, vector->getNumElements());
    }

    // Comparisons are false for a NaN, so that a bound takes its place, as with MINPS and MAXPS.
    Value* clamp() {
        const int value_bits = static_cast<int>(is_signed_ ? bits_ - 1 : bits_);
        const int precision = is_double() ? 53 : 24;
        const double end = std::ldexp(1.0, value_bits);
        llvm::Constant* const lowest = real(is_signed_ ? -end : 0);
        Value* const above = ir_.CreateSelect(ir_.CreateFCmpOGT(number_, lowest), number_, lowest);
        if (value_bits <= precision) {
            llvm::Constant* const highest = real(end - 1);
            return converted(ir_.CreateSelect(ir_.CreateFCmpOLT(above, highest), above, highest));
        }
        // The format has no number for the highest integer.
        Value* const beyond = ir_.CreateFCmpOGE(above, real(end));
        Value* const inside = converted(ir_.CreateSelect(beyond, real(0), above));
        const llvm::APInt highest =
            is_signed_ ? llvm::APInt::getSignedMaxValue(bits_) : llvm::APInt::getMaxValue(bits_);
        return ir_.CreateSelect(beyond, llvm::ConstantInt::get(inside->getType(), highest), inside);
    }

    // Of numbers in range. All CPUs convert to signed dwords.
    Value* converted(Value* inside) {
        constexpr unsigned dword = 32;
        if (bits_ < dword || (bits_ == dword && is_signed_))
            return ir_.CreateTrunc(ir_.CreateFPToSI(inside, integers(dword)), integers(bits_));
        if (is_signed_)
            return ir_.CreateFPToSI(inside, integers(bits_));
        if (avx512_ || !is_double())
            return ir_.CreateFPToUI(inside, integers(bits_));
        // A double in [2^52, 2^53) has its integer part in its lowest bits.
        Value* const integral = ir_.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, inside);
        Value* const moved = ir_.CreateBitCast(ir_.CreateFAdd(integral, real(0x1p52)), integers(64));
        return ir_.CreateTrunc(moved, integers(bits_));
    }

    llvm::IRBuilder<>& ir_;
    Value* number_;
    llvm::Type* real_;
    bool is_signed_;
    unsigned bits_;
    bool avx512_;
};

} // namespace

Value* saturated_integer(llvm::IRBuilder<>& ir, Value* number, bool is_signed, unsigned bits, bool avx512) {
    return Conversion(ir, number, is_signed, bits, avx512).build();
}

} // namespace visor::jit
