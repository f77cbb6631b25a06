// Rows of the data movement and address instructions.
#include "isa/field.h"
#include "isa/opcode.h"
#include "isa/table.h"
#include "isa/well_formed.h"

namespace visor::isa::rows {

namespace {

using enum DeviceId;

constexpr TypeSet numbers = integers | types(Type::f, Type::hf, Type::df, Type::bf);
constexpr TypeSet moved = numbers | types(Type::boolean);
constexpr TypeSet converted = types(Type::b, Type::ub, Type::hf, Type::f, Type::ud);

// With a predicate as the source: one lane, the predicate's bits as an integer.
// Newer compilers write numbers into address variables (IGC 2.1), which the page does not have.
constexpr std::array mov_format{exec_field, predicate_field, dst_field(numbers, dst_classes | class_address),
                                src_field("src0", with_packed(moved), src_classes | class_predicate)};
constexpr std::array setp_format{exec_field, dst_field(types(Type::boolean), class_predicate),
                                 src_field("src0", types(Type::ub, Type::uw, Type::ud))};
constexpr std::array movs_format{
    exec_field, dst_field(one_ud, class_state | class_general),
    emitted_also(src_field("src0", one_ud, src_classes | class_state), types(Type::d, Type::q))};
constexpr std::array fcvt_format{exec_field, dst_field(converted, class_general),
                                 src_field("src0", converted, class_general)};
// On the wire an address-of is a general or state operand.
constexpr std::array addr_add_format{
    exec_field, dst_field(0, class_address),
    src_field("src0", 0, class_address | class_general | class_state | class_address_of),
    src_field("src1", types(Type::uw), class_general | class_immediate)};
constexpr std::array shuffle_format{exec_field, predicate_field, raw_result("dst", one_ud, Extent::lanes_4),
                                    src_field("src0", one_ud, class_general),
                                    src_field("src1", types(Type::uw, Type::ub), class_general)};

constexpr std::array table{
    Row{.opcode = opcode::fcvt,
        .mnemonic = "fcvt",
        .family = Family::move,
        .format = fcvt_format,
        .flags = lane_wise,
        .devices = from(pvc),
        .page = "FCVT",
        .semantics = "dst[i] = src0[i], converted between the floats that the types stand for:\n"
                     "ub and b with hf are 8-bit floats; f with ud is tf32"},
    Row{.opcode = opcode::addr_add,
        .mnemonic = "addr_add",
        .family = Family::address,
        .format = addr_add_format,
        .flags = arithmetic_modifiers,
        .page = "ADDR_ADD",
        .semantics = "dst[i] = src0[i] + src1[i], in bytes"},
    Row{.opcode = opcode::mov,
        .mnemonic = "mov",
        .family = Family::move,
        .format = mov_format,
        .flags = arithmetic_modifiers | can_saturate | lane_wise,
        .page = "MOV",
        .semantics = "dst[i] = src0[i], converted; of a predicate: its bits as an integer"},
    Row{.opcode = opcode::sel,
        .mnemonic = "sel",
        .family = Family::move,
        .format = binary_format<numbers>,
        .flags = arithmetic_modifiers | can_saturate | predicate_selects | lane_wise,
        .page = "SEL",
        .semantics = "dst[i] = src0[i] where pred[i] is 1, else src1[i]"},
    Row{.opcode = opcode::setp,
        .mnemonic = "setp",
        .family = Family::move,
        .format = setp_format,
        .page = "SETP",
        .semantics = "src0 a scalar: dst[k] = bit k of src0, for every lane k of the size\n"
                     "else: dst[i] = bit 0 of src0[i]"},
    Row{.opcode = opcode::movs,
        .mnemonic = "movs",
        .family = Family::move,
        .format = movs_format,
        .page = "MOVS",
        .semantics = "dst = src0: one state of a surface or sampler, or its index"},
    Row{.opcode = opcode::shfl_idx4,
        .mnemonic = "shfl_idx4",
        .family = Family::move,
        .format = shuffle_format,
        .exec_sizes = lanes_16_32,
        .devices = from(cri),
        .page = "source: the compiler's instruction descriptors",
        .semantics = "table[k] = src0[k], k = 0..15\n"
                     "src1 ub: word j of dst[i] = word j of table[nibble j of src1[i]], j = 0, 1\n"
                     "src1 uw: byte j of dst[i] = byte j of table[nibble j of src1[i]], j = 0..3"},
};
static_assert(well_formed(table));

} // namespace

std::span<const Row> move() {
    return table;
}

} // namespace visor::isa::rows
