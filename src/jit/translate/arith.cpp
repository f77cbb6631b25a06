// Arithmetic: integers modulo 2^n or saturated, floats in the mode of the control register. Of doubles only
// sums and products support modes other than to nearest. Approximations are in translate/math.cpp, integer
// division in translate/division.cpp.
#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "jit/translate/operand_values.h"
#include "jit/translate/rounding.h"

namespace visor::jit {

namespace {

using isa::Type;
using llvm::Value;
using llvm::Intrinsic::ID;

namespace opcode = isa::opcode;

class Arithmetic {
public:
    Arithmetic(Translator& translator, const PreparedInstruction& instruction)
        : translator_(translator), ir_(translator.ir()), instruction_(instruction),
          values_(translator, instruction) {}

    bool lower() {
        switch (instruction_.row->opcode) {
        case opcode::add:
        case opcode::mul:
            return either(2);
        case opcode::mad:
            return either(3);
        case opcode::add3:
            return modular(3);
        case opcode::avg:
            return average();
        case opcode::mulh:
            return multiply_high();
        case opcode::lzd:
            return leading_zeros();
        case opcode::dp4a:
            return dot4();
        case opcode::div:
        case opcode::divm:
            return values_.fits(2) && isa::is_float(values_.destination().type)
                       ? real(2)
                       : lowering::division(translator_, instruction_);
        case opcode::mod:
        case opcode::madw:
            return lowering::division(translator_, instruction_);
        case opcode::frc:
        case opcode::rndd:
        case opcode::rndu:
        case opcode::rnde:
        case opcode::rndz:
        case opcode::sqrt:
        case opcode::sqrtm:
        case opcode::inv:
            return real(1);
        default:
            return lowering::math(translator_, instruction_);
        }
    }

private:
    bool either(size_t sources) {
        if (!values_.fits(sources))
            return false;
        return isa::is_float(values_.destination().type) ? real(sources) : modular(sources);
    }

    // A width that represents every exact result, with its sign.
    [[nodiscard]] uint32_t exact_bits(size_t sources) const {
        const auto bits = [&](size_t k) {
            return bits_of_type(values_.source(k)) + 1 +
                   (values_.source(k).modifier != SourceModifier::none ? 1U : 0U);
        };
        uint32_t needed = values_.widest(sources) + 4; // sums
        if (instruction_.row->opcode == opcode::mul || instruction_.row->opcode == opcode::mad)
            needed = std::max(needed, bits(0) + bits(1) + 1);
        return needed <= 64 ? 64 : 128;
    }

    bool modular(size_t sources) {
        if (!values_.integers(sources))
            return false;
        const uint32_t bits =
            instruction_.saturate ? exact_bits(sources) : 8U * isa::size_of(values_.destination().type);
        Value* const a = values_.integer(0, bits);
        Value* const b = values_.integer(1, bits);
        Value* const c = sources == 3 ? values_.integer(2, bits) : nullptr;
        Value* result = nullptr;
        switch (instruction_.row->opcode) {
        case opcode::add:
            result = ir_.CreateAdd(a, b);
            break;
        case opcode::add3:
            result = ir_.CreateAdd(ir_.CreateAdd(a, b), c);
            break;
        case opcode::mul:
            result = ir_.CreateMul(a, b);
            break;
        default:
            result = ir_.CreateAdd(ir_.CreateMul(a, b), c);
            break;
        }
        return values_.store_integer_result(result, values_.enabled());
    }

    bool average() {
        if (!values_.integers(2))
            return false;
        const uint32_t bits = values_.widest(2) < 64 ? 64 : 128;
        Value* const sum = ir_.CreateAdd(values_.integer(0, bits), values_.integer(1, bits));
        Value* const one = translator_.constant(bits, 1, values_.lanes());
        return values_.store_integer_result(ir_.CreateAShr(ir_.CreateAdd(sum, one), one), values_.enabled());
    }

    // The product of two dwords of equal signedness has 64 bits; its upper half is a dword of that
    // signedness.
    bool multiply_high() {
        if (!values_.integers(2) || values_.widest(2) > 32)
            return false;
        const Type type = values_.source(0).type;
        const bool same = type == values_.source(1).type && !values_.any_modifier(2);
        const bool plain = same && (type == Type::d || type == Type::ud);
        const uint32_t bits = plain || !values_.any_modifier(2) ? 64 : 128;
        Value* const product = ir_.CreateMul(values_.integer(0, bits), values_.integer(1, bits));
        Value* const shift = translator_.constant(bits, 32, values_.lanes());
        Value* const high =
            plain && type == Type::ud ? ir_.CreateLShr(product, shift) : ir_.CreateAShr(product, shift);
        return values_.store_integer_result(high, values_.enabled());
    }

    bool leading_zeros() {
        if (!values_.integers(1) || values_.widest(1) > 32)
            return false;
        Value* const zeros =
            ir_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, values_.integer(0, 32), ir_.getFalse());
        Value* const wide = ir_.CreateZExt(zeros, translator_.vector(ir_.getInt64Ty(), values_.lanes()));
        return values_.store_integer_result(wide, values_.enabled());
    }

    bool dot4() {
        if (!values_.integers(3) || values_.widest(3) > 32)
            return false;
        const bool small = !instruction_.saturate && isa::size_of(values_.destination().type) <= 4;
        const uint32_t bits = small ? 32 : 64;
        const auto byte = [&](size_t k, Value* dword, uint32_t at) {
            const bool is_signed = isa::is_signed(element_type(values_.source(k).type));
            Value* const up =
                ir_.CreateShl(dword, translator_.constant(bits, bits - 8 - 8 * at, values_.lanes()));
            Value* const shift = translator_.constant(bits, bits - 8, values_.lanes());
            return is_signed ? ir_.CreateAShr(up, shift) : ir_.CreateLShr(up, shift);
        };
        Value* sum = values_.integer(0, bits);
        Value* const a = values_.integer(1, bits);
        Value* const b = values_.integer(2, bits);
        for (uint32_t i = 0; i < 4; ++i)
            sum = ir_.CreateAdd(sum, ir_.CreateMul(byte(1, a, i), byte(2, b, i)));
        return values_.store_integer_result(sum, values_.enabled());
    }

    // ---- floats

    [[nodiscard]] bool any_source(size_t count, Type type) const {
        for (size_t k = 0; k < count; ++k)
            if (element_type(values_.source(k).type) == type)
                return true;
        return false;
    }
    [[nodiscard]] bool all_sources(size_t count, Type type) const {
        for (size_t k = 0; k < count; ++k)
            if (element_type(values_.source(k).type) != type)
                return false;
        return true;
    }

    // Narrow floats alone are computed in single precision and rounded once more. That is exact for one
    // operation where single precision has more than twice the bits.
    [[nodiscard]] bool exact_in_single(size_t count) const {
        const Type to = values_.destination().type;
        if (any_source(count, Type::df))
            return false;
        if (to == Type::f || any_source(count, Type::f))
            return true;
        return all_sources(count, to) && instruction_.row->opcode != opcode::mad;
    }

    // Integral values are exact in every format.
    [[nodiscard]] bool is_integral() const {
        const uint8_t code = instruction_.row->opcode;
        return code >= opcode::rndd && code <= opcode::rndz;
    }

    Value* operand(size_t k, bool single, const FloatMode& mode) {
        const Type type = element_type(values_.source(k).type);
        Value* const value = values_.real(k, single);
        return mode.keeps(type) ? value : values_.flushed(value, type);
    }

    bool real(size_t sources) {
        if (!values_.floats(sources) || !values_.can_load_real(sources) || !values_.can_store_real())
            return false;
        const auto mode = values_.mode();
        if (!mode)
            return false;
        const bool is_double = values_.destination().type == Type::df;
        if (is_double && (!all_sources(sources, Type::df) || !double_form()))
            return false;
        if (is_double && !mode->to_nearest())
            return rounded_double(sources, *mode);
        if (!is_double && any_source(sources, Type::df))
            return false;
        if (!is_double && !is_integral() && (!mode->to_nearest() || !exact_in_single(sources)))
            return rounded(sources, *mode);
        std::array<Value*, 3> operands{};
        for (size_t k = 0; k < sources; ++k)
            operands[k] = operand(k, !is_double, *mode);
        return values_.store_real(formula(operands), values_.enabled());
    }

    [[nodiscard]] bool is_half_mad(size_t sources) const {
        return instruction_.row->opcode == opcode::mad && values_.destination().type == Type::hf &&
               all_sources(sources, Type::hf);
    }

    // Computes an exact or round-to-odd result in double precision; rounds to single precision first if a
    // source has it (ruling 46).
    bool rounded(size_t sources, const FloatMode& mode) {
        Rounder rounder(translator_, values_.lanes(), mode.rounding());
        std::array<Value*, 3> operands{};
        for (size_t k = 0; k < sources; ++k)
            operands[k] = operand(k, mode.to_nearest() && is_half_mad(sources), mode);
        Value* const result = exact(rounder, operands);
        return values_.store_real(any_source(sources, Type::f) ? rounder.single(result) : result,
                                  values_.enabled());
    }

    // a * b is a * b + 0 with the product's sign; a + b is a * 1 + b.
    bool rounded_double(size_t sources, const FloatMode& mode) {
        const uint8_t code = instruction_.row->opcode;
        if (code != opcode::add && code != opcode::mul && code != opcode::mad)
            return false;
        std::array<Value*, 3> in{};
        for (size_t k = 0; k < sources; ++k)
            in[k] = operand(k, false, mode);
        auto [a, b, c] = in;
        if (code == opcode::add) {
            c = b;
            b = llvm::ConstantFP::get(a->getType(), 1.0);
        } else if (code == opcode::mul) {
            Value* const signs =
                ir_.CreateXor(translator_.as(a, ir_.getInt64Ty()), translator_.as(b, ir_.getInt64Ty()));
            Value* const sign = translator_.constant(64, uint64_t{1} << 63U, values_.lanes());
            c = translator_.as(ir_.CreateAnd(signs, sign), ir_.getDoubleTy());
        }
        Value* safe = nullptr;
        Value* const result =
            Rounder(translator_, values_.lanes(), mode.rounding()).double_product_sum(a, b, c, safe);
        const Mask mask = values_.enabled();
        Value* const off = ir_.CreateNot(translator_.lanes_on(mask, values_.lanes()));
        translator_.guarded(translator_.every(ir_.CreateOr(safe, off)),
                            [&] { values_.store_real(result, mask); });
        return true;
    }

    Value* exact(Rounder& rounder, const std::array<Value*, 3>& operands) {
        auto [a, b, c] = operands;
        switch (instruction_.row->opcode) {
        case opcode::add:
            return rounder.sum(a, b);
        case opcode::mul:
            return rounder.product(a, b);
        case opcode::mad:
            return rounder.product_sum(a, b, c);
        case opcode::div:
        case opcode::divm:
            return rounder.quotient(a, b);
        case opcode::inv:
            return rounder.quotient(llvm::ConstantFP::get(a->getType(), 1.0), a);
        case opcode::frc:
            return rounder.sum(a, ir_.CreateFNeg(unary(llvm::Intrinsic::floor, a)));
        default:
            return rounder.square_root(a);
        }
    }

    // The pages define no df form of the others.
    [[nodiscard]] bool double_form() const {
        switch (instruction_.row->opcode) {
        case opcode::add:
        case opcode::mul:
        case opcode::mad:
        case opcode::div:
        case opcode::divm:
        case opcode::inv:
        case opcode::sqrt:
        case opcode::sqrtm:
            return true;
        default:
            return false;
        }
    }

    Value* unary(ID intrinsic, Value* value) { return ir_.CreateUnaryIntrinsic(intrinsic, value); }

    Value* formula(const std::array<Value*, 3>& operands) {
        auto [a, b, c] = operands;
        auto* const type = a->getType();
        switch (instruction_.row->opcode) {
        case opcode::add:
            return ir_.CreateFAdd(a, b);
        case opcode::mul:
            return ir_.CreateFMul(a, b);
        case opcode::mad:
            return ir_.CreateIntrinsic(llvm::Intrinsic::fma, {type}, {a, b, c});
        case opcode::div:
        case opcode::divm:
            return ir_.CreateFDiv(a, b);
        case opcode::inv:
            return ir_.CreateFDiv(llvm::ConstantFP::get(type, 1.0), a);
        case opcode::sqrt:
        case opcode::sqrtm:
            return unary(llvm::Intrinsic::sqrt, a);
        case opcode::frc:
            return ir_.CreateFSub(a, unary(llvm::Intrinsic::floor, a));
        case opcode::rndd:
            return unary(llvm::Intrinsic::floor, a);
        case opcode::rndu:
            return unary(llvm::Intrinsic::ceil, a);
        case opcode::rnde:
            return unary(llvm::Intrinsic::roundeven, a);
        default:
            return unary(llvm::Intrinsic::trunc, a);
        }
    }

    Translator& translator_;
    llvm::IRBuilder<>& ir_;
    const PreparedInstruction& instruction_;
    Values values_;
};

// ADDC, SUBB
bool with_flag(Translator& translator, const PreparedInstruction& instruction, bool borrow) {
    namespace field = isa::operand_order::addc;
    Values values(translator, instruction, field::flag);
    const PreparedOperand& result = translator.operand(instruction, field::dst);
    if (!values.integers(2) || values.widest(2) > 32 || !is_vector_destination(result) ||
        instruction.saturate || !isa::is_integer(result.type) || isa::size_of(result.type) > 4 ||
        isa::size_of(values.destination().type) > 4)
        return false;
    llvm::IRBuilder<>& ir = translator.ir();
    Value* const a = values.integer(0, 32);
    Value* const b = values.integer(1, 32);
    Value* const sum = borrow ? ir.CreateSub(a, b) : ir.CreateAdd(a, b);
    Value* const flag = borrow ? ir.CreateICmpULT(a, b) : ir.CreateICmpULT(sum, a);
    const Mask mask = values.enabled();
    Value* const number = ir.CreateZExt(flag, sum->getType());
    return values.store_integer(result, sum, mask) && values.store_integer(number, mask);
}

} // namespace

bool lowering::arith(Translator& translator, const PreparedInstruction& instruction) {
    const uint8_t code = instruction.row->opcode;
    if (code == opcode::addc || code == opcode::subb)
        return with_flag(translator, instruction, code == opcode::subb);
    return Arithmetic(translator, instruction).lower();
}

} // namespace visor::jit
