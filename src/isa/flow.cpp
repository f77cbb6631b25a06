// Rows of control flow: branches, subroutine calls, stack calls, and the marks they lead to.
#include "isa/field.h"
#include "isa/table.h"
#include "isa/well_formed.h"

namespace visor::isa::rows {

namespace {

using enum DeviceId;

constexpr Field label_field{.kind = FieldKind::label, .name = "label"};
constexpr Field function_field{.kind = FieldKind::string16, .name = "func_id"};
constexpr Field arg_size = byte_field("arg_size", Codec::plain, Place::operand);
constexpr Field return_size = byte_field("return_size", Codec::plain, Place::operand);
// UD on the page, which calls the address 32 bits wide; FADDR and the compiler have 64 bits.
constexpr TypeSet code_address = types(Type::ud, Type::uq);

constexpr std::array mark_format{label_field};
constexpr std::array branch_format{exec_field, predicate_field, label_field};
constexpr std::array return_format{exec_field, predicate_field};
constexpr std::array fcall_format{exec_field, predicate_field, function_field, arg_size, return_size};
// The flags are missing on the page and in binaries.
constexpr Field ifcall_flags{.kind = FieldKind::literal8,
                             .name = "flags",
                             .codec = Codec::call_flags,
                             .place = Place::suffix,
                             .text_only = true};
constexpr std::array ifcall_format{exec_field,   predicate_field,
                                   ifcall_flags, scalar_field("func_addr", code_address),
                                   arg_size,     return_size};
constexpr std::array faddr_format{function_field, dst_field(code_address)};
constexpr std::array switchjmp_format{
    exec_field, byte_field("num_labels", Codec::plain, Place::hidden), // the count of labels in text
    scalar_field("index", types(Type::ub, Type::uw, Type::ud)),
    Field{.kind = FieldKind::counted, .name = "labels"}, label_field};

constexpr std::array table{
    Row{.opcode = 0x30,
        .mnemonic = "subroutine",
        .family = Family::flow,
        .format = mark_format,
        .form = TextForm::subroutine,
        .exec_sizes = no_exec_size,
        .page = "SUBROUTINE"},
    Row{.opcode = 0x31,
        .mnemonic = "label",
        .family = Family::flow,
        .format = mark_format,
        .form = TextForm::label,
        .exec_sizes = no_exec_size,
        .page = "LABEL"},
    Row{.opcode = 0x32,
        .mnemonic = "jmp",
        .family = Family::flow,
        .format = branch_format,
        .exec_sizes = one_lane,
        .flags = ends_block,
        .page = "JMP"},
    Row{.opcode = 0x33,
        .mnemonic = "call",
        .spellings = "fccall", // the label's kind tells the two apart
        .family = Family::flow,
        .format = branch_format,
        .flags = ends_block,
        .page = "CALL"},
    Row{.opcode = 0x34,
        .mnemonic = "ret",
        .family = Family::flow,
        .format = return_format,
        .flags = ends_block,
        .page = "RET"},
    Row{.opcode = 0x4f,
        .mnemonic = "ifcall",
        .family = Family::flow,
        .format = ifcall_format,
        .flags = ends_block | can_fault,
        .page = "IFCALL"},
    Row{.opcode = 0x50,
        .mnemonic = "faddr",
        .family = Family::flow,
        .format = faddr_format,
        .form = TextForm::no_exec,
        .exec_sizes = no_exec_size,
        .page = "FADDR"},
    Row{.opcode = 0x67,
        .mnemonic = "fcall",
        .family = Family::flow,
        .format = fcall_format,
        .form = TextForm::calls,
        .flags = ends_block,
        .page = "FCALL"},
    Row{.opcode = 0x68,
        .mnemonic = "fret",
        .family = Family::flow,
        .format = return_format,
        .flags = ends_block,
        .page = "FRET"},
    Row{.opcode = 0x69,
        .mnemonic = "switchjmp",
        .family = Family::flow,
        .format = switchjmp_format,
        .form = TextForm::switchjmp,
        .exec_sizes = one_lane,
        .flags = ends_block,
        .devices = until(icllp) | from(pvc), // {PVC+,-TGLLP}
        .page = "SWITCHJMP"},
    Row{.opcode = 0x6c,
        .mnemonic = "goto",
        .family = Family::flow,
        .format = branch_format,
        .flags = ends_block,
        .page = "GOTO"},
};
static_assert(well_formed(table));

} // namespace

std::span<const Row> flow() {
    return table;
}

} // namespace visor::isa::rows
