// Rows of control flow: branches, subroutine calls, stack calls, and the marks they lead to.
#include "isa/field.h"
#include "isa/opcode.h"
#include "isa/operand_order.h"
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
    Row{.opcode = opcode::subroutine,
        .mnemonic = "subroutine",
        .family = Family::flow,
        .format = mark_format,
        .form = TextForm::subroutine,
        .exec_sizes = no_exec_size,
        .page = "SUBROUTINE",
        .semantics = "marks the entry of a subroutine, which call names by its label"},
    Row{.opcode = opcode::label,
        .mnemonic = "label",
        .family = Family::flow,
        .format = mark_format,
        .form = TextForm::label,
        .exec_sizes = no_exec_size,
        .page = "LABEL",
        .semantics = "marks the place that a branch names; lanes that went there wait here"},
    Row{.opcode = opcode::jmp,
        .mnemonic = "jmp",
        .family = Family::flow,
        .format = branch_format,
        .exec_sizes = one_lane,
        .flags = ends_block,
        .page = "JMP",
        .semantics = "if pred holds: continue at label, with the lanes that are on"},
    Row{.opcode = opcode::call,
        .mnemonic = "call",
        .spellings = "fccall", // the label's kind tells the two apart
        .family = Family::flow,
        .format = branch_format,
        .flags = ends_block,
        .page = "CALL",
        .semantics = "if pred holds for a lane that is on: those lanes continue at label, and\n"
                     "behind this instruction once they return; fccall: label is another kernel"},
    Row{.opcode = opcode::ret,
        .mnemonic = "ret",
        .family = Family::flow,
        .format = return_format,
        .flags = ends_block,
        .page = "RET",
        .semantics = "the lanes for which pred holds return to behind their call; in a kernel\n"
                     "they end. When none is left, control goes back"},
    Row{.opcode = opcode::ifcall,
        .mnemonic = "ifcall",
        .family = Family::flow,
        .format = ifcall_format,
        .flags = ends_block | can_fault,
        .page = "IFCALL",
        .semantics = "as fcall, to the function whose address is func_addr"},
    Row{.opcode = opcode::faddr,
        .mnemonic = "faddr",
        .family = Family::flow,
        .format = faddr_format,
        .form = TextForm::no_exec,
        .exec_sizes = no_exec_size,
        .page = "FADDR",
        .semantics = "dst = address of the function func_id"},
    Row{.opcode = opcode::fcall,
        .mnemonic = "fcall",
        .family = Family::flow,
        .format = fcall_format,
        .form = TextForm::calls,
        .flags = ends_block,
        .page = "FCALL",
        .semantics = "if pred holds for a lane that is on: call the function func_id with those\n"
                     "lanes; the first arg_size registers of %arg go in, return_size of %retval\n"
                     "come back, %sp and %fp are handed on"},
    Row{.opcode = opcode::fret,
        .mnemonic = "fret",
        .family = Family::flow,
        .format = return_format,
        .flags = ends_block,
        .page = "FRET",
        .semantics = "the lanes for which pred holds return from the function; when none is left,\n"
                     "%retval, %sp and %fp go back to the caller"},
    Row{.opcode = opcode::switchjmp,
        .mnemonic = "switchjmp",
        .family = Family::flow,
        .format = switchjmp_format,
        .form = TextForm::switchjmp,
        .exec_sizes = one_lane,
        .flags = ends_block,
        .devices = until(icllp) | from(pvc), // {PVC+,-TGLLP}
        .page = "SWITCHJMP",
        .semantics = "continue at the label number index of the list, from 0"},
    Row{.opcode = opcode::goto_,
        .mnemonic = "goto",
        .family = Family::flow,
        .format = branch_format,
        .flags = ends_block,
        .page = "GOTO",
        .semantics = "each lane for which pred[i] holds continues at label, the others behind this\n"
                     "instruction; lanes that part are together again where their ways meet\n"
                     "exec_size 1: all lanes as one"},
};
static_assert(well_formed(table));

static_assert(has_operands(faddr_format,
                           {{operand_order::faddr::func_id, "func_id"}, {operand_order::faddr::dst, "dst"}}));

} // namespace

std::span<const Row> flow() {
    return table;
}

} // namespace visor::isa::rows
