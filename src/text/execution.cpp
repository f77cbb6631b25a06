// "(Mk, E)" and what some rows have in its place: owords, elements, the width and height of a block.
#include "isa/codec.h"
#include "text/instruction.h"

#include <fmt/format.h>

namespace visor::text {

namespace {

using isa::Codec;
using isa::Field;
using isa::Place;

bool mask_named(std::string_view name, Execution& execution) {
    if (name == "NoMask") {
        execution.no_mask = true;
        return true;
    }
    execution.no_mask = name.ends_with("_NM");
    if (execution.no_mask)
        name.remove_suffix(3);
    if (name.size() != 2 || name[0] != 'M' || name[1] < '1' || name[1] > '8')
        return false;
    execution.offset = static_cast<uint8_t>((name[1] - '1') * 4);
    return true;
}

// "(" and the mask, when there is one; the number and ")" follow.
bool read_mask(Draft& draft, Execution& execution) {
    Lexer& lex = draft.lex();
    if (!draft.reader.ahead('('))
        return lex.expected("`(M1, n)`");
    lex.advance();
    if (is((lex.skip_blanks(), lex.peek()), digit))
        return true;
    const Location where = lex.next_token();
    const std::string_view name = lex.name();
    if (name.empty())
        return lex.expected("an execution mask or size");
    if (!mask_named(name, execution))
        return lex.error(
            where, "bad-mask",
            fmt::format("`{}` is no execution mask: those are M1 to M8 and M1_NM to M8_NM", name));
    return draft.reader.mark(',');
}

// Owords or elements in the place of the exec size. Only GATHER and SCATTER keep the mask (5_operands.md has
// none for block messages, and the compiler drops it).
bool read_amount(Draft& draft, const Field& field, Operand& operand) {
    Lexer& lex = draft.lex();
    Execution execution;
    if (!read_mask(draft, execution))
        return false;
    lex.skip_blanks();
    operand.where = lex.next_token();
    const std::optional<Integer> number = lex.integer("a size");
    if (!number.has_value())
        return false;
    const std::optional<uint64_t> code = isa::parse(field.codec, lex.text(operand.where));
    if (!code.has_value())
        return lex.error(operand.where, "bad-exec-size",
                         fmt::format("`{}` cannot have the size {}{}", draft.mnemonic, number->value,
                                     choices(field.codec, "")));
    operand.value = *code;
    if (field.codec == Codec::element_count) {
        const unsigned mask = execution.offset / 4U + (execution.no_mask ? 8U : 0U);
        operand.value |= uint64_t{mask} << isa::element_count_mask_shift;
    } else if (execution.offset != 0) {
        return lex.error(operand.where, "bad-mask",
                         fmt::format("`{}` knows no execution mask", draft.mnemonic));
    }
    return draft.reader.mark(')');
}

bool counts_lanes(Codec codec) {
    return codec == Codec::oword_count || codec == Codec::svm_block || codec == Codec::element_count;
}

} // namespace

bool read_execution(Draft& draft) {
    Lexer& lex = draft.lex();
    Execution& execution = draft.instruction.execution;
    if (!read_mask(draft, execution))
        return false;
    lex.skip_blanks();
    const Location where = lex.next_token();
    const std::optional<Integer> size = lex.integer("an execution size");
    if (!size.has_value())
        return false;
    if (size->value == 0 || size->value > 32 || (size->value & (size->value - 1)) != 0)
        return lex.error(where, "bad-exec-size",
                         fmt::format("an execution size is 1, 2, 4, 8, 16 or 32, not {}", size->value));
    execution.size = static_cast<uint8_t>(size->value);
    return draft.reader.mark(')');
}

bool read_parenthesis(Draft& draft) {
    if (isa::has_exec(*draft.row))
        return read_execution(draft);
    const Slots slots = slots_of(*draft.row, Place::paren);
    if (slots.count == 0)
        return true;
    Operand* operands = draft.instruction.operands.data();
    const Slot& first = slots.slots[0];
    if (counts_lanes(first.field->codec))
        return read_amount(draft, *first.field, operands[first.index]);
    for (const Slot& slot : slots) {
        if (!draft.reader.mark(&slot == slots.begin() ? '(' : ',') ||
            !read_operand(draft.reader, *slot.field, operands[slot.index]))
            return false;
    }
    return draft.reader.mark(')');
}

void write_execution(Writer& writer, const Execution& execution) {
    writer.text(" (M");
    writer.decimal(execution.offset / 4 + 1);
    writer.text(execution.no_mask ? "_NM, " : ", ");
    writer.decimal(execution.size);
    writer.text(")");
}

void write_parenthesis(Writer& writer, const Instruction& instruction) {
    if (isa::has_exec(*instruction.row))
        return write_execution(writer, instruction.execution);
    const Slots slots = slots_of(*instruction.row, Place::paren);
    for (const Slot& slot : slots) {
        if (slot.index >= instruction.operands.size())
            continue;
        const Operand& operand = instruction.operands[slot.index];
        writer.text(&slot == slots.begin() ? " (" : ", ");
        if (slot.field->codec == Codec::element_count) {
            const uint64_t mask = operand.value >> isa::element_count_mask_shift & 0xfU;
            writer.text(fmt::format("M{}{}, ", mask % 8 + 1, mask >= 8 ? "_NM" : ""));
        }
        write_operand(writer, *slot.field, operand);
    }
    if (slots.count > 0)
        writer.text(")");
}

} // namespace visor::text
