// Rows of the logic and shift instructions.
#include "isa/field.h"
#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "isa/table.h"
#include "isa/well_formed.h"

namespace visor::isa::rows {

namespace {

using enum DeviceId;

constexpr TypeSet unsigned_integers = types(Type::ub, Type::uw, Type::ud, Type::uq);
constexpr TypeSet signed_integers = types(Type::b, Type::w, Type::d, Type::q);
constexpr TypeSet with_predicates = integers | types(Type::boolean);
constexpr TypeSet up_to_dword_unsigned = types(Type::ub, Type::uw, Type::ud);
constexpr TypeSet rotated = words_dwords | types(Type::uq, Type::q);

// "All operands must be predicates" or none of them.
constexpr OperandClasses logic_dst = dst_classes | class_predicate;
constexpr OperandClasses logic_src = src_classes | class_predicate;

constexpr TypeSet logic_src_types = with_packed(with_predicates);
constexpr std::array not_format{exec_field, predicate_field, dst_field(with_predicates, logic_dst),
                                src_field("src0", logic_src_types, logic_src)};
constexpr std::array logic_format{exec_field, predicate_field, dst_field(with_predicates, logic_dst),
                                  src_field("src0", logic_src_types, logic_src),
                                  src_field("src1", logic_src_types, logic_src)};

// The shift count may have any integer type. The pages want shr unsigned and asr signed; the compiler takes
// the signedness from the opcode and whatever type the operands have.
template <TypeSet accepted>
constexpr std::array shift_format{
    exec_field, predicate_field, emitted_also(dst_field(accepted), integers & ~accepted),
    emitted_also(src_field("src0", with_packed(accepted)), integers & ~accepted),
    src_field("src1", with_packed(integers))};
constexpr std::array reverse_format{exec_field, predicate_field,
                                    emitted_also(dst_field(one_ud), types(Type::d)),
                                    emitted_also(src_field("src0", one_ud), types(Type::d))};
constexpr std::array first_bit_format{exec_field, predicate_field, dst_field(one_ud),
                                      emitted_also(src_field("src0", one_ud), types(Type::uw, Type::ub))};

constexpr std::array bfi_format{exec_field,
                                predicate_field,
                                dst_field(dwords),
                                src_field("src0", dwords),
                                src_field("src1", dwords),
                                src_field("src2", dwords),
                                src_field("src3", dwords)};
constexpr std::array bfn_format{exec_field,
                                predicate_field,
                                dst_field(words_dwords),
                                src_field("src0", with_packed(words_dwords)),
                                src_field("src1", with_packed(words_dwords)),
                                src_field("src2", with_packed(words_dwords)),
                                byte_field("boolean_func_ctrl", Codec::hex_byte, Place::suffix)};
constexpr std::array lfsr_format{exec_field,
                                 predicate_field,
                                 byte_field("func_ctrl", Codec::lfsr_format, Place::suffix),
                                 dst_field(one_ud, class_general),
                                 src_field("src0", one_ud, class_general),
                                 src_field("src1", one_ud, class_general | class_immediate)};

constexpr Row logic_row(uint8_t opcode, const char* mnemonic, std::span<const Field> format, uint32_t flags,
                        const char* page, const char* semantics, DeviceSet devices = every_device) {
    return {.opcode = opcode,
            .mnemonic = mnemonic,
            .family = Family::logic,
            .format = format,
            .flags = flags | lane_wise,
            .devices = devices,
            .page = page,
            .semantics = semantics};
}

constexpr std::array table{
    logic_row(opcode::and_, "and", logic_format, logic_modifiers, "AND", "dst[i] = src0[i] & src1[i]"),
    logic_row(opcode::or_, "or", logic_format, logic_modifiers, "OR", "dst[i] = src0[i] | src1[i]"),
    logic_row(opcode::xor_, "xor", logic_format, logic_modifiers, "XOR", "dst[i] = src0[i] ^ src1[i]"),
    logic_row(opcode::not_, "not", not_format, logic_modifiers, "NOT", "dst[i] = ~src0[i]"),
    logic_row(opcode::shl, "shl", shift_format<integers>, arithmetic_modifiers | can_saturate, "SHL",
              "dst[i] = src0[i] << n, n = src1[i] modulo the bits of the operation"),
    logic_row(opcode::shr, "shr", shift_format<unsigned_integers>, arithmetic_modifiers | can_saturate, "SHR",
              "dst[i] = src0[i] >> n, zeros from above, n = src1[i] modulo the bits of the\n"
              "operation"),
    // The page has no ".sat"; the compiler takes it.
    logic_row(opcode::asr, "asr", shift_format<signed_integers>, arithmetic_modifiers | can_saturate, "ASR",
              "dst[i] = src0[i] >> n, signs from above, n = src1[i] modulo the bits of the\n"
              "operation"),
    logic_row(opcode::cbit, "cbit", unary_format<one_ud, up_to_dword_unsigned>, 0, "CBIT",
              "dst[i] = number of ones in src0[i]"),
    logic_row(opcode::fbl, "fbl", first_bit_format, 0, "FBL",
              "dst[i] = number of the lowest 1 of src0[i]; all ones when there is none"),
    logic_row(opcode::fbh, "fbh", unary_format<one_ud, dwords>, 0, "FBH",
              "dst[i] = number of equal bits that src0[i] begins with, from the top:\n"
              "zeros, or the sign of a d; all ones for 0, and for -1 of a d"),
    logic_row(opcode::bfe, "bfe", ternary_format<dwords>, 0, "BFE",
              "dst[i] = src0[i] bits of src2[i], from bit src1[i] on; signed like src2\n"
              "only the low 5 bits of src0[i] and src1[i] count"),
    logic_row(opcode::bfi, "bfi", bfi_format, 0, "BFI",
              "dst[i] = src3[i] with its src0[i] bits from bit src1[i] on taken from the\n"
              "low end of src2[i]; only the low 5 bits of src0[i] and src1[i] count"),
    logic_row(opcode::bfrev, "bfrev", reverse_format, 0, "BFREV", "bit k of dst[i] = bit 31-k of src0[i]"),
    logic_row(opcode::rol, "rol", binary_format<rotated>, emitted_modifiers, "ROL",
              "dst[i] = src0[i] rotated left by src1[i] bits, modulo its width", from(icllp)),
    logic_row(opcode::ror, "ror", binary_format<rotated>, emitted_modifiers, "ROR",
              "dst[i] = src0[i] rotated right by src1[i] bits, modulo its width", from(icllp)),
    logic_row(opcode::bfn, "bfn", bfn_format, 0, "BFN",
              "each bit of dst[i] = bit a + 2*b + 4*c of boolean_func_ctrl, where a, b, c\n"
              "are the same bit of src0[i], src1[i], src2[i]",
              from(xehp)),
    logic_row(opcode::lfsr, "lfsr", lfsr_format, 0, "source: the compiler's instruction descriptors",
              "each part of src0[i], one of 32 bits, two of 16 or four of 8, moves right by\n"
              "one bit; where a 1 falls out, it is exclusive-ored with its part of src1[i]",
              from(cri)),
};
static_assert(well_formed(table));

static_assert(has_operands(bfn_format, {{operand_order::bfn::dst, "dst"},
                                        {operand_order::bfn::src0, "src0"},
                                        {operand_order::bfn::src1, "src1"},
                                        {operand_order::bfn::src2, "src2"},
                                        {operand_order::bfn::boolean_func_ctrl, "boolean_func_ctrl"}}));
static_assert(has_operands(lfsr_format, {{operand_order::lfsr::func_ctrl, "func_ctrl"},
                                         {operand_order::lfsr::dst, "dst"},
                                         {operand_order::lfsr::src0, "src0"},
                                         {operand_order::lfsr::src1, "src1"}}));

} // namespace

std::span<const Row> logic() {
    return table;
}

} // namespace visor::isa::rows
