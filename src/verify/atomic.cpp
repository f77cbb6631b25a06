// SVM_ATOMIC, DWORD_ATOMIC, TYPED_ATOMIC, Notes: which sources an operation has, and the one type that it and
// its width ask for.
#include "isa/codec.h"
#include "verify/chapters.h"
#include "verify/spelling.h"

namespace visor::verify {

namespace {

using isa::AtomicOp;
using isa::Type;

// Ruling 35: the float operations with .64 are on df. 16-bit data lie in dwords of the type of 32 bits.
Type type_for(AtomicOp op, unsigned bits) {
    const bool wide = bits == 64;
    if (isa::atomic_is_float(op))
        return wide ? Type::df : Type::f;
    if (op == AtomicOp::smin || op == AtomicOp::smax)
        return wide ? Type::q : Type::d;
    return wide ? Type::uq : Type::ud;
}

// The implementation looks at the types of dword_atomic only, and lets add and sub have signed ones.
// Compilers take the integer type at hand for svm_atomic: the operation says what the bits mean.
Levels type_levels(const Site& site, AtomicOp op, Type type, Type wanted) {
    const bool integers =
        isa::is_integer(type) && isa::is_integer(wanted) && isa::size_of(type) == isa::size_of(wanted);
    if (site.row().family != isa::Family::atomic || site.row().out_of_bounds == isa::OutOfBounds::fault)
        return integers ? habitual : doubtful;
    return integers && (op == AtomicOp::add || op == AtomicOp::sub) ? habitual : refused;
}

struct Operation {
    AtomicOp op;
    unsigned bits;
    std::string word;
};

void check_data(const OperandSite& site, const Operation& operation) {
    const Type wanted = type_for(operation.op, operation.bits);
    const Type type = type_of(site);
    if (!is_null(site.operand) && type != wanted)
        site.diag(rule("<instruction>-<operand>-type"), type_levels(site.site, operation.op, type, wanted))
            << name(site) << " has type " << isa::facts(type).name << "; " << operation.word << " of "
            << operation.bits << " bits needs " << isa::facts(wanted).name;
}

void check_source(const OperandSite& site, const Operation& operation, bool used) {
    const bool looked_at = site.site.row().out_of_bounds != isa::OutOfBounds::fault;
    const bool null = is_null(site.operand);
    if (used && null)
        site.diag(rule("<instruction>-<operand>-null")) << operation.word << " needs " << name(site);
    if (!used && !null)
        site.diag(rule("<instruction>-<operand>-unused"), looked_at ? refused : doubtful)
            << name(site) << " must be %null: " << operation.word << " has no such source";
    if (used && !null)
        check_data(site, operation);
}

} // namespace

void check_atomic(const Site& site) {
    if (!isa::has(site.row(), isa::atomic_access))
        return;
    const int op_index = isa::operand_index(site.row(), "op");
    if (op_index < 0)
        return; // LSC: an operation is a row of its own
    const std::vector<Operand>& operands = site.instruction.operands;
    const uint64_t value = operands[static_cast<size_t>(op_index)].value;
    const auto op = isa::atomic_op(value);
    const unsigned bits = isa::atomic_bits(value);
    const bool flat = site.row().out_of_bounds == isa::OutOfBounds::fault;
    if (!op || bits == 0 || (bits == 64 && !flat))
        return; // check_literal has said so
    const Operation operation{*op, bits, isa::spell(isa::Codec::atomic_op, value & 0x1fU)};
    const unsigned sources = isa::atomic_sources(*op);
    for (const auto& [field, used] :
         {std::pair{"src0", sources >= 1}, {"src1", sources >= 2}, {"dst", true}}) {
        const auto index = static_cast<size_t>(isa::operand_index(site.row(), field));
        if (index >= operands.size() || operands[index].kind != OperandKind::raw ||
            !site.context.declared(operands[index].id))
            continue;
        const OperandSite operand{site, isa::field_of_operand(site.row(), index), operands[index], index};
        if (operand.field.kind == isa::FieldKind::raw_dst)
            check_data(operand, operation);
        else
            check_source(operand, operation, used);
    }
}

} // namespace visor::verify
