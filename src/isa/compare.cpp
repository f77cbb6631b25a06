// Rows of cmp, min and max: neither has a predicate on the wire, and each keeps a byte of its own behind the
// exec size.
#include "isa/field.h"
#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "isa/sub_opcode.h"
#include "isa/table.h"
#include "isa/well_formed.h"

namespace visor::isa::rows {

namespace {

constexpr TypeSet numbers = integers | types(Type::f, Type::hf, Type::df);
constexpr TypeSet compared = numbers | types(Type::bf);

constexpr std::array cmp_format{exec_field, byte_field("rel_op", Codec::relation, Place::suffix),
                                dst_field(compared | types(Type::boolean), class_predicate | class_general),
                                src_field("src0", with_packed(compared)),
                                src_field("src1", with_packed(compared))};
constexpr std::array min_max_format{exec_field, sub_field, dst_field(numbers),
                                    src_field("src0", with_packed(numbers)),
                                    src_field("src1", with_packed(numbers))};

constexpr uint32_t min_max_flags = arithmetic_modifiers | can_saturate | lane_wise | predicate_in_text;

constexpr std::array table{
    Row{.opcode = opcode::cmp,
        .mnemonic = "cmp",
        .family = Family::compare,
        .format = cmp_format,
        .flags = arithmetic_modifiers | lane_wise,
        .page = "CMP",
        .semantics = "r = src0[i] rel_op src1[i]; with a NaN only ne is true\n"
                     "dst[i] = r when dst is a predicate, else all ones if r, else 0"},
    Row{.opcode = opcode::min_max,
        .sub = sub_opcode::min_max::min,
        .mnemonic = "min",
        .family = Family::compare,
        .format = min_max_format,
        .flags = min_max_flags,
        .page = "MIN_MAX",
        .semantics = "dst[i] = the smaller of src0[i] and src1[i]; rather a number than a NaN"},
    Row{.opcode = opcode::min_max,
        .sub = sub_opcode::min_max::max,
        .mnemonic = "max",
        .family = Family::compare,
        .format = min_max_format,
        .flags = min_max_flags,
        .page = "MIN_MAX",
        .semantics = "dst[i] = the larger of src0[i] and src1[i]; rather a number than a NaN"},
};
static_assert(well_formed(table));

static_assert(has_operands(cmp_format, {{operand_order::cmp::rel_op, "rel_op"},
                                        {operand_order::cmp::dst, "dst"},
                                        {operand_order::cmp::src0, "src0"},
                                        {operand_order::cmp::src1, "src1"}}));

} // namespace

std::span<const Row> compare() {
    return table;
}

} // namespace visor::isa::rows
