// DPAS: products of small matrices, all rows and depths in line. Lanes are columns. Interpreter fallbacks:
// DPASW, whose threads meet, BDPAS, DNSCL, floats of 8 bits, accumulators that are no single floats.
#include "isa/dpas_precision.h"
#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "jit/translate/memory_message.h"

#include <vector>

namespace visor::jit {

namespace {

using llvm::Value;
using namespace isa::operand_order::dpas;
namespace precision = isa::dpas;

class Dpas {
public:
    Dpas(Translator& translator, const PreparedInstruction& instruction, const isa::dpas::Shape& shape)
        : translator_(translator), ir_(translator.ir()), instruction_(instruction), shape_(shape),
          lanes_(instruction.execution.size) {}

    // All sources are read before a result is stored. The mask has no effect.
    bool lower() {
        if (!is_supported())
            return false;
        const std::vector<Value*> columns = decoded_columns();
        std::vector<Value*> sums;
        for (uint32_t row = 0; row < shape_.info.repeat; ++row)
            sums.push_back(shape_.first.is_float ? float_sum(row, columns) : integer_sum(row, columns));
        for (uint32_t row = 0; row < shape_.info.repeat; ++row)
            translator_.store_raw(at(dst), row * row_bytes(), translator_.as(sums[row], ir_.getInt32Ty()),
                                  translator_.all_lanes(lanes_));
        return true;
    }

private:
    [[nodiscard]] const PreparedOperand& at(size_t index) const {
        return translator_.operand(instruction_, index);
    }
    [[nodiscard]] uint32_t row_bytes() const { return lanes_ * 4; }

    [[nodiscard]] bool is_supported() const {
        const uint8_t code = shape_.info.src1_precision;
        const bool converts = !shape_.first.is_float || code == precision::bfloat_code ||
                              code == precision::tf32_code ||
                              (code == precision::half_code && translator_.options().half_convert);
        const auto accumulates = [&](const PreparedOperand& of) {
            return shape_.first.is_float ? of.type == isa::Type::f
                                         : of.type == isa::Type::d || of.type == isa::Type::ud;
        };
        const Messages operands(translator_, instruction_);
        const uint32_t cells = shape_.info.repeat * row_bytes();
        const PreparedOperand& activations = at(src2);
        return converts && lanes_ > 1 && accumulates(at(dst)) && (at(src0).null || accumulates(at(src0))) &&
               !at(src1).null && !activations.null && activations.kind == OperandKind::general &&
               operands.has_bytes(dst, cells) && operands.has_bytes(src0, cells) &&
               operands.has_bytes(src1, shape_.weight_bytes(lanes_)) &&
               uint64_t{activations.base} + shape_.activation_bytes() <= activations.limit;
    }

    Value* bits(uint32_t value, uint32_t count) { return translator_.constant(32, value, count); }

    // Element `position` of each dword as a number: doubles, or 32-bit integers.
    Value* decoded(Value* dwords, const isa::dpas::Precision& of, uint8_t code, uint32_t position) {
        const uint32_t count = Translator::lanes_of(dwords);
        const uint32_t shift = position * of.bits;
        if (of.is_float) {
            auto* const doubles = translator_.vector(ir_.getDoubleTy(), count);
            return ir_.CreateFPExt(as_single(dwords, code, shift), doubles);
        }
        Value* const high = ir_.CreateShl(dwords, bits(32U - of.bits - shift, count));
        return of.is_signed ? ir_.CreateAShr(high, bits(32U - of.bits, count))
                            : ir_.CreateLShr(high, bits(32U - of.bits, count));
    }
    Value* as_single(Value* dwords, uint8_t code, uint32_t shift) {
        const uint32_t count = Translator::lanes_of(dwords);
        if (code == precision::half_code) {
            auto* const words = translator_.vector(ir_.getInt16Ty(), count);
            Value* const word = ir_.CreateTrunc(ir_.CreateLShr(dwords, bits(shift, count)), words);
            return ir_.CreateFPExt(translator_.as(word, ir_.getHalfTy()),
                                   translator_.vector(ir_.getFloatTy(), count));
        }
        // bfloat16 and tf32 are the upper bits of a single float.
        const uint32_t kept = code == precision::tf32_code ? 0xffffe000U : 0xffff0000U;
        Value* const placed =
            code == precision::tf32_code || shift != 0 ? dwords : ir_.CreateShl(dwords, bits(16, count));
        return translator_.as(ir_.CreateAnd(placed, bits(kept, count)), ir_.getFloatTy());
    }

    // B's rows, each of all columns. A lane's elements fill a dword of one register, depth after depth, then
    // that of the next register.
    std::vector<Value*> decoded_columns() {
        const uint32_t in_dword = 32U / shape_.first.bits;
        std::vector<Value*> columns;
        Value* dwords = nullptr;
        for (uint32_t k = 0; k < shape_.inner(); ++k) {
            if (k % in_dword == 0)
                dwords = translator_.load_raw(at(src1), k / in_dword * row_bytes(), 32, lanes_);
            columns.push_back(decoded(dwords, shape_.first, shape_.info.src1_precision, k % in_dword));
        }
        return columns;
    }

    // A's row, each element in all lanes.
    std::vector<Value*> decoded_row(uint32_t row) {
        const uint32_t in_dword = 32U / shape_.second.bits;
        const uint32_t bytes = shape_.products * shape_.second.bits; // of eight depths
        const uint32_t dwords = (shape_.inner() + in_dword - 1) / in_dword;
        Value* const all = translator_.load_raw(at(src2), row * bytes, 32, dwords);
        std::vector<Value*> positions;
        for (uint32_t position = 0; position < in_dword; ++position)
            positions.push_back(decoded(all, shape_.second, shape_.info.src2_precision, position));
        std::vector<Value*> elements;
        for (uint32_t k = 0; k < shape_.inner(); ++k)
            elements.push_back(
                translator_.splat(translator_.lane(positions[k % in_dword], k / in_dword), lanes_));
        return elements;
    }

    Value* initial(uint32_t row) { return translator_.load_raw(at(src0), row * row_bytes(), 32, lanes_); }

    // Modulo 2^32.
    Value* integer_sum(uint32_t row, const std::vector<Value*>& columns) {
        const std::vector<Value*> factors = decoded_row(row);
        Value* sum = initial(row);
        for (size_t k = 0; k < columns.size(); ++k)
            sum = ir_.CreateAdd(sum, ir_.CreateMul(columns[k], factors[k]));
        return sum;
    }

    // Each depth adds its exact products in double precision and rounds once (ruling 57). A fused
    // multiplication changes nothing, as products are exact.
    Value* float_sum(uint32_t row, const std::vector<Value*>& columns) {
        const std::vector<Value*> factors = decoded_row(row);
        auto* const singles = translator_.vector(ir_.getFloatTy(), lanes_);
        auto* const doubles = translator_.vector(ir_.getDoubleTy(), lanes_);
        Value* sum = translator_.as(initial(row), ir_.getFloatTy());
        for (uint32_t depth = 0; depth < shape_.info.depth; ++depth) {
            Value* exact = ir_.CreateFPExt(sum, doubles);
            for (uint32_t p = 0; p < shape_.products; ++p) {
                const size_t k = size_t{depth} * shape_.products + p;
                exact = translator_.options().fma
                            ? ir_.CreateIntrinsic(llvm::Intrinsic::fma, {doubles},
                                                  {columns[k], factors[k], exact})
                            : ir_.CreateFAdd(exact, ir_.CreateFMul(columns[k], factors[k]));
            }
            sum = ir_.CreateFPTrunc(exact, singles);
        }
        return sum;
    }

    Translator& translator_;
    llvm::IRBuilder<>& ir_;
    const PreparedInstruction& instruction_;
    const isa::dpas::Shape& shape_;
    uint32_t lanes_;
};

} // namespace

bool lowering::matrix(Translator& translator, const PreparedInstruction& instruction) {
    if (instruction.row->opcode != isa::opcode::dpas || translator.options().brief ||
        instruction.operand_count <= info_word)
        return false;
    const auto shape = isa::dpas::shape_of(translator.literal(instruction, info_word));
    return shape && Dpas(translator, instruction, *shape).lower();
}

} // namespace visor::jit
