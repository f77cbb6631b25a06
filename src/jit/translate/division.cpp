// Integer operations without vector instructions: DIV and MOD of up to 32 bits, MADW. Quotients are truncated
// quotients of doubles. For numbers below 2^33 the rounded quotient never reaches an integer that the exact
// one does not.
#include "isa/opcode.h"
#include "jit/translate/operand_values.h"

namespace visor::jit {

namespace {

using llvm::Value;

namespace opcode = isa::opcode;

// 2^52 + 2^51: a double in [2^52, 2^53) has its integer part in its lowest bits, relative to this one.
constexpr double middle = 0x1.8p52;
constexpr uint64_t middle_bits = 0x4338000000000000;

class Division {
public:
    Division(Translator& translator, const PreparedInstruction& instruction)
        : translator_(translator), ir_(translator.ir()), instruction_(instruction),
          values_(translator, instruction) {}

    bool lower() {
        if (!values_.integers(2) || values_.widest(2) > 32 || instruction_.saturate)
            return false;
        Value* const dividend = values_.integer(0, 64);
        Value* const divisor = values_.integer(1, 64);
        Value* const a = to_double(dividend);
        Value* const b = to_double(divisor);
        Value* const quotient = ir_.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, ir_.CreateFDiv(a, b));
        Value* result = quotient;
        if (instruction_.row->opcode == opcode::mod)
            result =
                ir_.CreateIntrinsic(llvm::Intrinsic::fma, {a->getType()}, {ir_.CreateFNeg(quotient), b, a});
        Value* const zero = ir_.CreateICmpEQ(divisor, number(0));
        return values_.store_integer(ir_.CreateSelect(zero, by_zero(dividend), to_integer(result)),
                                     values_.enabled());
    }

private:
    Value* number(uint64_t value) { return translator_.constant(64, value, values_.lanes()); }
    Value* real(double value) {
        return llvm::ConstantFP::get(translator_.vector(ir_.getDoubleTy(), values_.lanes()), value);
    }
    Value* to_double(Value* integer) {
        Value* const moved = ir_.CreateAdd(integer, number(middle_bits));
        return ir_.CreateFSub(translator_.as(moved, ir_.getDoubleTy()), real(middle));
    }
    Value* to_integer(Value* integral) {
        Value* const moved = ir_.CreateFAdd(integral, real(middle));
        return ir_.CreateSub(translator_.as(moved, ir_.getInt64Ty()), number(middle_bits));
    }

    // Ruling 39.
    Value* by_zero(Value* dividend) {
        const auto is_unsigned = [&](size_t k) {
            return !isa::is_signed(element_type(values_.source(k).type)) &&
                   values_.source(k).modifier == SourceModifier::none;
        };
        if (is_unsigned(0) && is_unsigned(1))
            return number(UINT32_MAX);
        return ir_.CreateSelect(ir_.CreateICmpSLT(dividend, number(0)),
                                number(static_cast<uint64_t>(int64_t{INT32_MIN})), number(INT32_MAX));
    }

    Translator& translator_;
    llvm::IRBuilder<>& ir_;
    const PreparedInstruction& instruction_;
    Values values_;
};

// MADW page: the low dwords at dst, the high ones from the next whole register on.
bool multiply_add_wide(Translator& translator, const PreparedInstruction& instruction) {
    Values values(translator, instruction);
    const PreparedOperand& low = values.destination();
    if (!values.integers(3) || values.widest(3) > 32 || isa::size_of(low.type) != 4 || instruction.saturate ||
        low.kind != OperandKind::general)
        return false;
    const uint32_t grf = translator.program().device->grf_bytes;
    const uint32_t lanes = values.lanes();
    PreparedOperand high = low;
    high.base += (lanes * 4U + grf - 1) / grf * grf;
    const uint64_t end = uint64_t{high.base} + (uint64_t{lanes} - 1) * high.vertical * 4 + 4;
    if (!low.null && end > low.limit)
        return false;
    llvm::IRBuilder<>& ir = translator.ir();
    Value* const sum =
        ir.CreateAdd(ir.CreateMul(values.integer(0, 64), values.integer(1, 64)), values.integer(2, 64));
    const Mask mask = values.enabled();
    return values.store_integer(low, sum, mask) &&
           values.store_integer(high, ir.CreateLShr(sum, translator.constant(64, 32, lanes)), mask);
}

} // namespace

bool lowering::division(Translator& translator, const PreparedInstruction& instruction) {
    return instruction.row->opcode == opcode::madw ? multiply_add_wide(translator, instruction)
                                                   : Division(translator, instruction).lower();
}

} // namespace visor::jit
