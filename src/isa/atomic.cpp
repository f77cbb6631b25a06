// Rows of the atomic messages of the legacy kind; the operation is a literal of the message.
#include "isa/field.h"
#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "isa/sub_opcode.h"
#include "isa/table.h"
#include "isa/well_formed.h"

namespace visor::isa::rows {

namespace {

constexpr Field op = byte_field("op", Codec::atomic_op, Place::suffix);
constexpr uint32_t atomic_flags = reads_memory | writes_memory | atomic_access;

// Unused sources and an unwanted result are the null variable.
constexpr TypeSet flat_data = dwords | types(Type::uq, Type::q, Type::f, Type::df); // df: ruling 35
constexpr std::array svm_atomic_format{sub_field,
                                       exec_field,
                                       predicate_field,
                                       op,
                                       raw_source("addresses", one_uq, Extent::lanes_8),
                                       raw_source("src0", flat_data, Extent::atomic_lanes, true),
                                       raw_source("src1", flat_data, Extent::atomic_lanes, true),
                                       raw_result("dst", flat_data, Extent::atomic_lanes, true)};
constexpr std::array dword_atomic_format{op,
                                         exec_field,
                                         predicate_field,
                                         surface_field,
                                         raw_source("element_offset", one_ud, Extent::lanes_4),
                                         raw_source("src0", dword_data, Extent::atomic_lanes, true),
                                         raw_source("src1", dword_data, Extent::atomic_lanes, true),
                                         raw_result("dst", dword_data, Extent::atomic_lanes, true)};

constexpr std::array table{
    Row{.opcode = opcode::svm,
        .sub = sub_opcode::svm::atomic,
        .mnemonic = "svm_atomic",
        .family = Family::atomic,
        .format = svm_atomic_format,
        .text_order = "0312",
        .exec_sizes = up_to_8, // ruling 20
        .flags = atomic_flags | can_fault | core_five,
        .out_of_bounds = OutOfBounds::fault,
        .page = "SVM_ATOMIC",
        .semantics = "old = memory at addresses[i]; it becomes op(old, src0[i], src1[i])\n"
                     "dst[i] = old; of predec, the new value. Lanes take turns"},
    Row{.opcode = opcode::dword_atomic,
        .mnemonic = "dword_atomic",
        .family = Family::atomic,
        .format = dword_atomic_format,
        .exec_sizes = up_to_16,
        .flags = atomic_flags,
        .out_of_bounds = OutOfBounds::zero_or_dropped,
        .page = "DWORD_ATOMIC",
        .semantics = "old = surface at element_offset[i]; it becomes op(old, src0[i], src1[i])\n"
                     "dst[i] = old; of predec, the new value. Lanes take turns"},
};
static_assert(well_formed(table));

namespace order = operand_order;
static_assert(has_operands(svm_atomic_format, {{order::svm_atomic::op, "op"},
                                               {order::svm_atomic::addresses, "addresses"},
                                               {order::svm_atomic::src0, "src0"},
                                               {order::svm_atomic::src1, "src1"},
                                               {order::svm_atomic::dst, "dst"}}));
static_assert(has_operands(dword_atomic_format, {{order::dword_atomic::op, "op"},
                                                 {order::dword_atomic::surface, "surface"},
                                                 {order::dword_atomic::element_offset, "element_offset"},
                                                 {order::dword_atomic::src0, "src0"},
                                                 {order::dword_atomic::src1, "src1"},
                                                 {order::dword_atomic::dst, "dst"}}));

} // namespace

std::span<const Row> atomic() {
    return table;
}

} // namespace visor::isa::rows
