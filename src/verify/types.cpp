// 2_datatypes, Type Conversion, and the type maps of the pages: which types an operand may have, which may
// meet in one instruction, and what the device computes with.
#include "isa/table.h"
#include "verify/chapters.h"
#include "verify/spelling.h"

namespace visor::verify {

namespace {

using isa::Family;
using isa::Type;

constexpr isa::TypeSet byte_or_word = isa::types(Type::b, Type::ub, Type::w, Type::uw);
constexpr isa::TypeSet long_integers = isa::types(Type::q, Type::uq);

// What the implementation refuses of the types that no page lists.
Levels type_levels(const OperandSite& site, Type type) {
    if (isa::contains(site.field.emitted, type))
        return habitual;
    static const isa::Row* const bfrev = isa::find("bfrev");
    if (&site.site.row() == bfrev &&
        type == Type::f) // which the compiler writes by mistake, and takes (ruling 183)
        return doubtful;
    switch (site.site.row().family) {
    case Family::arith:
        return refused;
    case Family::logic:
        return isa::is_float(type) ? refused : doubtful;
    case Family::address:
        return isa::contains(byte_or_word, type) ? doubtful : refused;
    default:
        return doubtful;
    }
}

// ---- types that may meet

bool is_bfloat_pair(Type a, Type b) {
    return (a == Type::bf || a == Type::f) && (b == Type::bf || b == Type::f);
}
bool is_half_pair(Type a, Type b) {
    return (a == Type::hf || a == Type::f) && (b == Type::hf || b == Type::f);
}

// V goes with integers, UV likewise, VF with F.
bool may_meet(Type execution, Type source) {
    if (source == Type::vf)
        return execution == Type::f;
    if (!isa::is_float(execution) && !isa::is_float(source))
        return true;
    return execution == source || is_bfloat_pair(execution, source) || is_half_pair(execution, source);
}

// Rows whose sources are all of one set of types compute in one type; the others say what meets what by
// themselves.
bool computes_in_one_type(const isa::Row& row) {
    const bool computes =
        row.family == Family::arith || row.family == Family::compare || isa::has(row, isa::predicate_selects);
    isa::TypeSet common = 0;
    for (const isa::Field& field : row.format) {
        if (field.kind != isa::FieldKind::vector_src)
            continue;
        if (common != 0 && field.types != common)
            return false;
        common = field.types;
    }
    return computes && common != 0;
}

bool has_type(const Operand& operand) {
    return operand.kind == OperandKind::general || operand.kind == OperandKind::indirect ||
           operand.kind == OperandKind::immediate;
}

Type type_in(const Context& context, const Operand& operand) {
    if (operand.kind != OperandKind::general && operand.kind != OperandKind::raw)
        return operand.type;
    return context.declared(operand.id) ? context.variable(operand.id).type : Type::ud;
}

// CMP's type maps: integers may be compared into an F or HF destination.
bool compares_into_float(const isa::Row& row, Type destination, Type source) {
    const bool narrow = !isa::is_float(source) && !isa::contains(long_integers, source);
    return row.family == Family::compare && row.sub < 0 && narrow &&
           (destination == Type::f || destination == Type::hf);
}

// Every operand against the first that has a type: the destination, or the first source where that is a
// predicate.
void check_mixing(const Site& site) {
    const Operand* first = nullptr;
    bool into = false; // `first` is the destination
    for (size_t index = 0; index < site.instruction.operands.size(); ++index) {
        const Operand& operand = site.instruction.operands[index];
        const isa::Field& field = isa::field_of_operand(site.row(), index);
        if (!has_type(operand) || is_null(operand) || field.kind == isa::FieldKind::scalar_src)
            continue;
        if (first == nullptr) {
            first = &operand;
            into = field.kind == isa::FieldKind::vector_dst;
            continue;
        }
        const Type execution = type_in(site.context, *first);
        const Type source = type_in(site.context, operand);
        if (may_meet(execution, source) || may_meet(source, execution) ||
            (into && compares_into_float(site.row(), execution, source)))
            continue;
        const OperandSite at{site, field, operand, index};
        at.diag(rule("types-mixed"), site.row().family == Family::arith ? refused : doubtful)
            << name(at) << " has type " << isa::facts(source).name << " beside " << isa::facts(execution).name
            << "; convert one with mov";
    }
}

// ---- what the device computes with

// Moves carry 64 bits everywhere, and so do messages.
bool computes(Family family) {
    return family == Family::arith || family == Family::logic || family == Family::compare;
}

void check_device_type(const OperandSite& site, Type type) {
    const isa::Device* device = site.context().options.device;
    if (device == nullptr || !computes(site.site.row().family))
        return;
    static const isa::Row* const mad = isa::find("mad");
    const bool is_mad = &site.site.row() == mad; // of qwords from Xe3P on
    const bool missing = (isa::contains(long_integers, type) && !device->int64) ||
                         (type == Type::df && !device->fp64) ||
                         (isa::contains(long_integers, type) && is_mad && device->id < isa::DeviceId::cri) ||
                         (type == Type::bf && device->id < isa::DeviceId::xehp);
    const RuleRow& broken = rule("type-device");
    if (missing)
        site.diag(broken, is_mad ? refused : broken.levels)
            << name(site) << " has type " << isa::facts(type).name << ", which " << device->name
            << " does not compute with";
}

} // namespace

Type type_of(const OperandSite& site) {
    return type_in(site.context(), site.operand);
}

void check_type(const OperandSite& site) {
    if (is_null(site.operand))
        return;
    const Type type = type_of(site);
    check_device_type(site, type);
    const bool by_operation = site.field.extent == isa::Extent::atomic_lanes; // check_atomic knows better
    if (site.field.types == 0 || by_operation || isa::contains(site.field.types, type))
        return;
    site.diag(rule("<instruction>-<operand>-type"), type_levels(site, type))
        << name(site) << " has type " << isa::facts(type).name << "; allowed: " << list(site.field.types);
}

void check_types(const Site& site) {
    const Instruction& instruction = site.instruction;
    if (computes_in_one_type(site.row()))
        check_mixing(site);
    if (!instruction.saturate)
        return;
    const bool can = isa::has(site.row(), isa::can_saturate);
    const bool floats_only = isa::has(site.row(), isa::saturates_floats_only);
    const bool is_int = !instruction.operands.empty() && has_type(instruction.operands[0]) &&
                        !isa::is_float(type_in(site.context, instruction.operands[0]));
    if (!can)
        site.diag(rule("saturation")) << site.row().mnemonic << " does not saturate";
    else if (floats_only && is_int)
        site.diag(rule("saturation")) << site.row().mnemonic << " saturates only when its type is float";
}

} // namespace visor::verify
