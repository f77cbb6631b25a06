// Bitwise operations, shifts, rotations, counts and bit fields.
#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "jit/translate/operand_values.h"

namespace visor::jit {

namespace {

using llvm::Value;

namespace opcode = isa::opcode;

class Logic {
public:
    Logic(Translator& translator, const PreparedInstruction& instruction)
        : translator_(translator), ir_(translator.ir()), instruction_(instruction),
          values_(translator, instruction) {}

    bool lower() {
        const uint8_t code = instruction_.row->opcode;
        if (translator_.operand(instruction_, 0).kind == OperandKind::predicate)
            return on_predicates();
        if (instruction_.saturate)
            return false;
        switch (code) {
        case opcode::and_:
        case opcode::or_:
        case opcode::xor_:
        case opcode::not_:
            return bitwise();
        case opcode::shl:
        case opcode::shr:
        case opcode::asr:
            return shift();
        case opcode::rol:
        case opcode::ror:
            return rotate();
        default:
            return on_dwords();
        }
    }

private:
    Value* combine(Value* a, Value* b) {
        switch (instruction_.row->opcode) {
        case opcode::and_:
            return ir_.CreateAnd(a, b);
        case opcode::or_:
            return ir_.CreateOr(a, b);
        case opcode::xor_:
            return ir_.CreateXor(a, b);
        default:
            return ir_.CreateNot(a);
        }
    }

    // All operands are predicates; only the instruction's slice of them.
    bool on_predicates() {
        const uint8_t code = instruction_.row->opcode;
        const size_t sources = code == opcode::not_ ? 1 : 2;
        if (code < opcode::and_ || code > opcode::not_ || instruction_.operand_count < 1 + sources)
            return false;
        const Execution& execution = instruction_.execution;
        std::array<Value*, 2> bits{};
        for (size_t k = 0; k < sources; ++k) {
            const PreparedOperand& at = translator_.operand(instruction_, 1 + k);
            if (at.kind != OperandKind::predicate)
                return false;
            bits[k] = ir_.CreateTrunc(ir_.CreateLShr(translator_.load_predicate(at.base), execution.offset),
                                      translator_.integer(execution.size));
        }
        translator_.store_predicate(translator_.operand(instruction_, 0).base, execution,
                                    translator_.masked(execution), combine(bits[0], bits[1]));
        return true;
    }

    bool bitwise() {
        const size_t sources = instruction_.row->opcode == opcode::not_ ? 1 : 2;
        if (!values_.integers(sources))
            return false;
        const uint32_t bits = 8U * isa::size_of(values_.destination().type);
        Value* const a = values_.integer(0, bits);
        Value* const b = sources == 2 ? values_.integer(1, bits) : nullptr;
        return values_.store_integer(combine(a, b), values_.enabled());
    }

    // The count is the low 5 bits, or 6 if the destination or the value is a qword (ruling 43). Signedness
    // that the pages do not define: ruling 44.
    bool shift() {
        if (!values_.integers(2))
            return false;
        const uint8_t code = instruction_.row->opcode;
        const PreparedOperand& value = values_.source(0);
        const uint32_t width = bits_of_type(value);
        const bool wide = isa::size_of(values_.destination().type) == 8 || width == 64;
        const uint32_t bits = wide ? 64 : 32;
        const bool is_signed = isa::is_signed(element_type(value.type));
        if (code == opcode::asr && value.modifier != SourceModifier::none)
            return false; // a magnitude may need one bit more than its type
        Value* a = values_.integer(0, bits);
        Value* const count =
            ir_.CreateAnd(values_.integer(1, bits), translator_.constant(bits, bits - 1, values_.lanes()));
        Value* result = nullptr;
        if (code == opcode::shl) {
            result = ir_.CreateShl(a, count);
        } else if (code == opcode::asr) {
            result = is_signed ? ir_.CreateAShr(a, count) : ir_.CreateLShr(a, count);
        } else {
            a = ir_.CreateAnd(a, translator_.constant(bits, ~uint64_t{0} >> (64 - width), values_.lanes()));
            result = ir_.CreateLShr(a, count);
        }
        return values_.store_integer(extended(result, is_signed && code == opcode::asr), values_.enabled());
    }

    // Extends to at least the destination's width.
    Value* extended(Value* value, bool is_signed) {
        const uint32_t bits = 8U * isa::size_of(values_.destination().type);
        if (value->getType()->getScalarSizeInBits() >= bits)
            return value;
        auto* const type = translator_.vector(translator_.integer(bits), values_.lanes());
        return is_signed ? ir_.CreateSExt(value, type) : ir_.CreateZExt(value, type);
    }

    bool rotate() {
        if (!values_.integers(2))
            return false;
        const uint32_t bits = bits_of_type(values_.source(0));
        if (bits < 16)
            return false;
        Value* const a = values_.integer(0, bits);
        Value* const count = values_.integer(1, bits); // implicitly modulo the width
        const auto shift =
            instruction_.row->opcode == opcode::rol ? llvm::Intrinsic::fshl : llvm::Intrinsic::fshr;
        Value* const result = ir_.CreateIntrinsic(shift, {a->getType()}, {a, a, count});
        return values_.store_integer(extended(result, false), values_.enabled());
    }

    bool on_dwords() {
        const uint8_t code = instruction_.row->opcode;
        const size_t sources = code == opcode::bfi ? 4 : code == opcode::bfe || code == opcode::bfn ? 3 : 1;
        if (!values_.integers(sources) || values_.widest(sources) > 32 ||
            isa::size_of(values_.destination().type) > 4)
            return false;
        std::array<Value*, 4> in{};
        for (size_t k = 0; k < sources; ++k)
            in[k] = values_.integer(k, 32);
        Value* const result = formula(in);
        return result != nullptr && values_.store_integer(result, values_.enabled());
    }

    [[nodiscard]] Value* number(uint64_t value) { return translator_.constant(32, value, values_.lanes()); }

    Value* formula(const std::array<Value*, 4>& in) {
        switch (instruction_.row->opcode) {
        case opcode::cbit:
            return ir_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, in[0]);
        case opcode::fbl:
            return none_if_zero(in[0], llvm::Intrinsic::cttz);
        case opcode::fbh: {
            if (!isa::is_signed(element_type(values_.source(0).type)))
                return none_if_zero(in[0], llvm::Intrinsic::ctlz);
            Value* const sign = ir_.CreateAShr(in[0], number(31)); // to count the sign bits
            return none_if_zero(ir_.CreateXor(in[0], sign), llvm::Intrinsic::ctlz);
        }
        case opcode::bfrev:
            return ir_.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, in[0]);
        case opcode::bfe:
            return isa::is_signed(values_.destination().type) ? extract_signed(in) : extract(in);
        case opcode::bfi:
            return insert(in);
        case opcode::bfn:
            return boolean(in);
        default:
            return nullptr;
        }
    }

    Value* none_if_zero(Value* value, llvm::Intrinsic::ID count) {
        Value* const zeros = ir_.CreateBinaryIntrinsic(count, value, ir_.getFalse());
        return ir_.CreateSelect(ir_.CreateICmpEQ(value, number(0)), number(UINT32_MAX), zeros);
    }
    Value* low5(Value* value) { return ir_.CreateAnd(value, number(31)); }
    Value* ones(Value* width) { return ir_.CreateSub(ir_.CreateShl(number(1), low5(width)), number(1)); }

    // width, offset, value
    Value* extract(const std::array<Value*, 4>& in) {
        return ir_.CreateAnd(ir_.CreateLShr(in[2], low5(in[1])), ones(in[0]));
    }
    Value* extract_signed(const std::array<Value*, 4>& in) {
        Value* const width = low5(in[0]);
        Value* const field = ir_.CreateAShr(in[2], low5(in[1]));
        Value* const unused = low5(ir_.CreateSub(number(32), width));
        Value* const moved = ir_.CreateAShr(ir_.CreateShl(field, unused), unused);
        return ir_.CreateSelect(ir_.CreateICmpEQ(width, number(0)), number(0), moved);
    }
    // width, offset, field, rest
    Value* insert(const std::array<Value*, 4>& in) {
        Value* const mask = ir_.CreateShl(ones(in[0]), low5(in[1]));
        Value* const field = ir_.CreateAnd(ir_.CreateShl(in[2], low5(in[1])), mask);
        return ir_.CreateOr(field, ir_.CreateAnd(in[3], ir_.CreateNot(mask)));
    }
    // Bit k of the table is the result where k = src0 + 2 * src1 + 4 * src2, bit by bit.
    Value* boolean(const std::array<Value*, 4>& in) {
        const uint64_t table = translator_.literal(instruction_, isa::operand_order::bfn::boolean_func_ctrl);
        Value* result = number(0);
        for (uint32_t k = 0; k < 8; ++k) {
            if ((table >> k & 1U) == 0)
                continue;
            Value* term = number(UINT32_MAX);
            for (uint32_t s = 0; s < 3; ++s)
                term = ir_.CreateAnd(term, (k >> s & 1U) != 0 ? in[s] : ir_.CreateNot(in[s]));
            result = ir_.CreateOr(result, term);
        }
        return result;
    }

    Translator& translator_;
    llvm::IRBuilder<>& ir_;
    const PreparedInstruction& instruction_;
    Values values_;
};

} // namespace

bool lowering::logic(Translator& translator, const PreparedInstruction& instruction) {
    return Logic(translator, instruction).lower();
}

} // namespace visor::jit
