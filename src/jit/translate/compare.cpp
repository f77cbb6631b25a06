// cmp, min and max: values of different types compare by their numeric value.
#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "isa/sub_opcode.h"
#include "jit/translate/operand_values.h"

namespace visor::jit {

namespace {

using isa::Type;
using llvm::CmpInst;
using llvm::Value;

namespace opcode = isa::opcode;

// By relation: eq ne gt ge lt le. Only `ne` holds for a NaN.
constexpr std::array<CmpInst::Predicate, 6> float_relations{CmpInst::FCMP_OEQ, CmpInst::FCMP_UNE,
                                                            CmpInst::FCMP_OGT, CmpInst::FCMP_OGE,
                                                            CmpInst::FCMP_OLT, CmpInst::FCMP_OLE};
constexpr std::array<CmpInst::Predicate, 6> signed_relations{CmpInst::ICMP_EQ,  CmpInst::ICMP_NE,
                                                             CmpInst::ICMP_SGT, CmpInst::ICMP_SGE,
                                                             CmpInst::ICMP_SLT, CmpInst::ICMP_SLE};
constexpr std::array<CmpInst::Predicate, 6> unsigned_relations{CmpInst::ICMP_EQ,  CmpInst::ICMP_NE,
                                                               CmpInst::ICMP_UGT, CmpInst::ICMP_UGE,
                                                               CmpInst::ICMP_ULT, CmpInst::ICMP_ULE};

// The width that represents both sources, and its signedness; 0: none is supported.
struct Width {
    uint32_t bits = 0;
    bool is_signed = true;
};
Width width_of(const Values& values) {
    const bool first = isa::is_signed(element_type(values.source(0).type));
    const bool second = isa::is_signed(element_type(values.source(1).type));
    const uint32_t widest = values.widest(2);
    if (!values.any_modifier(2) && first == second)
        return {std::max(widest, 8U), first};
    return widest < 64 ? Width{64, true} : Width{};
}

Value* relation_of(Translator& translator, Values& values, uint64_t relation) {
    llvm::IRBuilder<>& ir = translator.ir();
    const auto is_real = [&](size_t k) { return is_float(values.source(k)); };
    if (is_real(0) != is_real(1))
        return nullptr;
    if (!is_real(0)) {
        const Width width = width_of(values);
        if (width.bits == 0)
            return nullptr;
        const auto& relations = width.is_signed ? signed_relations : unsigned_relations;
        return ir.CreateICmp(relations[relation], values.integer(0, width.bits),
                             values.integer(1, width.bits));
    }
    const bool first_double = values.source(0).type == Type::df;
    const auto mode = values.mode();
    if (first_double != (values.source(1).type == Type::df) || !mode || !values.can_load_real(2))
        return nullptr;
    std::array<Value*, 2> numbers{};
    for (size_t k = 0; k < 2; ++k) {
        const Type type = element_type(values.source(k).type);
        numbers[k] = values.real(k, !first_double);
        if (!mode->keeps(type))
            numbers[k] = values.flushed(numbers[k], type);
    }
    return ir.CreateFCmp(float_relations[relation], numbers[0], numbers[1]);
}

bool compare(Translator& translator, const PreparedInstruction& instruction) {
    namespace field = isa::operand_order::cmp;
    Values values(translator, instruction, field::dst);
    const PreparedOperand& to = translator.operand(instruction, field::dst);
    const uint64_t relation = translator.literal(instruction, field::rel_op);
    const bool to_predicate = to.kind == OperandKind::predicate;
    if (relation >= 6 || instruction.operand_count <= field::src1 ||
        (!to_predicate && !is_vector_destination(to)))
        return false;
    for (size_t k = 0; k < 2; ++k)
        if (!is_vector_source(values.source(k)))
            return false;
    Value* const holds = relation_of(translator, values, relation);
    if (holds == nullptr)
        return false;
    const Mask mask = translator.masked(instruction.execution);
    if (to_predicate) {
        translator.store_predicate(to.base, instruction.execution, mask, translator.bits_of(holds));
        return true;
    }
    auto* const type = translator.vector(translator.integer(8U * isa::size_of(to.type)), values.lanes());
    return translator.store_bits(to, translator.ir().CreateSExt(holds, type), mask);
}

// A number is preferred to a NaN; of two NaNs src1 results; -0 is less than +0 (ruling 45). One condition for
// one select: LLVM 19 also merges two consecutive selects, and loses the magnitude in `min 0, (abs)x`
// (tests/jit/fuzz/found/least_of_zero_and_a_magnitude.visaasm).
Value* extreme(Translator& translator, Value* a, Value* b, bool maximum) {
    llvm::IRBuilder<>& ir = translator.ir();
    auto* const bits = ir.getIntNTy(a->getType()->getScalarSizeInBits());
    Value* const x = translator.as(a, bits);
    Value* const y = translator.as(b, bits);
    Value* const equal = ir.CreateBitCast(maximum ? ir.CreateAnd(x, y) : ir.CreateOr(x, y), a->getType());
    Value* const better = maximum ? ir.CreateFCmpUGT(a, b) : ir.CreateFCmpULT(a, b); // or b is a NaN
    Value* const number = ir.CreateSelect(ir.CreateAnd(ir.CreateFCmpORD(a, a), better), a, b);
    return ir.CreateSelect(ir.CreateFCmpOEQ(a, b), equal, number);
}

bool real_extreme(Translator& translator, const PreparedInstruction& instruction, Values& values,
                  bool maximum) {
    const auto mode = values.mode();
    if (!values.floats(2) || !mode || !values.can_load_real(2))
        return false;
    const bool is_double = values.destination().type == Type::df;
    std::array<Value*, 2> numbers{};
    for (size_t k = 0; k < 2; ++k) {
        const Type type = element_type(values.source(k).type);
        if (is_double != (type == Type::df))
            return false;
        numbers[k] = values.real(k, !is_double);
        if (!mode->keeps(type))
            numbers[k] = values.flushed(numbers[k], type);
    }
    return values.can_store_real() && values.store_real(extreme(translator, numbers[0], numbers[1], maximum),
                                                        translator.enabled(instruction));
}

bool min_max(Translator& translator, const PreparedInstruction& instruction) {
    Values values(translator, instruction);
    const bool maximum = instruction.row->sub == isa::sub_opcode::min_max::max;
    if (!values.fits(2))
        return false;
    if (isa::is_float(values.destination().type))
        return real_extreme(translator, instruction, values, maximum);
    if (!values.integers(2))
        return false;
    const Width width = width_of(values);
    if (width.bits == 0)
        return false;
    llvm::IRBuilder<>& ir = translator.ir();
    const uint32_t to = 8U * isa::size_of(values.destination().type);
    Value* const a = values.integer(0, width.bits);
    Value* const b = values.integer(1, width.bits);
    const auto relation = width.is_signed ? (maximum ? CmpInst::ICMP_SGT : CmpInst::ICMP_SLT)
                                          : (maximum ? CmpInst::ICMP_UGT : CmpInst::ICMP_ULT);
    Value* result = ir.CreateSelect(ir.CreateICmp(relation, a, b), a, b);
    if (instruction.saturate) {
        const uint32_t exact = width.bits < 64 || width.is_signed ? 64 : 128;
        auto* const type = translator.vector(translator.integer(exact), values.lanes());
        result = width.is_signed ? ir.CreateSExt(result, type) : ir.CreateZExt(result, type);
        return values.store_clamped(result, translator.enabled(instruction));
    }
    if (to > width.bits) {
        auto* const type = translator.vector(translator.integer(to), values.lanes());
        result = width.is_signed ? ir.CreateSExt(result, type) : ir.CreateZExt(result, type);
    }
    return values.store_integer(result, translator.enabled(instruction));
}

} // namespace

bool lowering::compare(Translator& translator, const PreparedInstruction& instruction) {
    switch (instruction.row->opcode) {
    case opcode::cmp:
        return jit::compare(translator, instruction);
    case opcode::min_max:
        return min_max(translator, instruction);
    default:
        return false;
    }
}

} // namespace visor::jit
