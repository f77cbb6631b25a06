// Where control goes: switchjmp, and the marks that are no instructions to the eye.
#include "text/instruction.h"

namespace visor::text::forms {

namespace {

using isa::Field;
using isa::Place;

// ---- switchjmp (M1, 1) index (a, b)

bool read_switchjmp(Draft& draft) {
    constexpr size_t most = 255;
    Lexer& lex = draft.lex();
    if (!suffixes_used_up(draft) || !read_execution(draft) || !read_operands(draft) ||
        !draft.reader.mark('('))
        return false;
    const Field& field = *repeated_field(*draft.row);
    std::vector<Operand>& operands = draft.instruction.operands;
    const size_t fixed = operands.size();
    do {
        Operand operand;
        if (!read_operand(draft.reader, field, operand))
            return false;
        operands.push_back(operand);
        if (operands.size() - fixed > most)
            return lex.error(operand.where, "extra-operand", "too many labels");
        static_cast<void>(lex.accept(',')); // commas are optional to the compiler, too
    } while (!lex.accept(')'));
    operands[slots_of(*draft.row, Place::hidden).slots[0].index].value = operands.size() - fixed;
    return true;
}

void write_switchjmp(Writer& writer, const Instruction& instruction) {
    write_mnemonic(writer, instruction);
    write_execution(writer, instruction.execution);
    write_operands(writer, instruction);
    writer.text(" (");
    const size_t fixed = fixed_operands(*instruction.row);
    for (size_t index = fixed; index < instruction.operands.size(); ++index) {
        writer.text(index == fixed ? "" : ", ");
        write_operand(writer, *repeated_field(*instruction.row), instruction.operands[index]);
    }
    writer.text(")");
}

// ---- .function "name", and the line that defines it; name:. Reading is the statement's (parser.cpp).

bool read_nothing(Draft& draft) {
    return draft.lex().expected("an instruction");
}

void write_subroutine(Writer& writer, const Instruction& instruction) {
    if (instruction.operands.empty())
        return;
    const uint32_t id = instruction.operands[0].id;
    writer.text(".function ");
    writer.quoted_label(id);
    if (writer.single())
        return;
    writer.text("\n\n");
    writer.label_definition(id);
    writer.text(":");
}

void write_label(Writer& writer, const Instruction& instruction) {
    if (instruction.operands.empty())
        return;
    writer.label_definition(instruction.operands[0].id);
    writer.text(":");
}

} // namespace

const Form switchjmp{read_switchjmp, write_switchjmp};
const Form subroutine{read_nothing, write_subroutine};
const Form label{read_nothing, write_label};

} // namespace visor::text::forms
