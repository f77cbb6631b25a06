#include "text/instruction.h"

#include "isa/opcode.h"

#include <algorithm>

#include <fmt/format.h>

namespace visor::text {

namespace {

using isa::Field;
using isa::FieldKind;
using isa::Place;
using isa::Row;

bool is_literal(FieldKind kind) {
    return kind == FieldKind::literal8 || kind == FieldKind::literal16 || kind == FieldKind::literal32 ||
           kind == FieldKind::sub_opcode16;
}

// Every operand as it is when text says nothing about it.
void fill_defaults(const Row& row, Instruction& instruction) {
    instruction.row = &row;
    instruction.operands.resize(fixed_operands(row));
    size_t index = 0;
    for (const Field& field : row.format) {
        if (field.kind == FieldKind::counted)
            return;
        if (!isa::is_operand(field.kind))
            continue;
        Operand& operand = instruction.operands[index++];
        const bool raw = field.kind == FieldKind::raw_src || field.kind == FieldKind::raw_dst;
        if (is_literal(field.kind)) {
            operand.kind = OperandKind::literal;
            operand.value = field.fallback;
        } else if (raw && field.place == Place::hidden) {
            operand.kind = OperandKind::raw;
        }
    }
}

bool read_predicate(Draft& draft) {
    Lexer& lex = draft.lex();
    Predicate& predicate = draft.instruction.predicate;
    lex.advance();
    predicate.inverted = lex.accept('!');
    Location where;
    const Symbol* symbol = draft.reader.variable_of(VariableClass::predicate, where);
    if (symbol == nullptr)
        return false;
    predicate.id = static_cast<uint16_t>(symbol->id);
    if (lex.accept('.')) {
        const Location control = lex.next_token();
        const std::string_view name = lex.name();
        if (name != "any" && name != "all")
            return lex.error(control, "syntax", "expected `any` or `all` behind the predicate's dot");
        predicate.control = name == "any" ? PredicateControl::any : PredicateControl::all;
    }
    return draft.reader.mark(')');
}

bool no_mnemonic(const Row& row) {
    return row.form == isa::TextForm::file || row.form == isa::TextForm::loc ||
           row.form == isa::TextForm::label || row.form == isa::TextForm::subroutine;
}

bool unknown_mnemonic(Draft& draft, Location where) {
    for (const std::string_view directive :
         {"decl", "input", "kernel", "kernel_attr", "function", "global_function", "version"}) {
        if (draft.mnemonic == directive)
            return draft.lex().error(
                where, "unknown-mnemonic",
                fmt::format("no instruction is called `{0}` (did you mean `.{0}`?)", draft.mnemonic));
    }
    std::vector<std::string_view> candidates;
    if (draft.lex().gives_hints())
        candidates = isa::mnemonics();
    std::erase_if(candidates, [](std::string_view name) { return no_mnemonic(*isa::find(name)); });
    return draft.lex().error(where, "unknown-mnemonic",
                             fmt::format("no instruction is called `{}`{}", draft.mnemonic,
                                         did_you_mean(draft.mnemonic, candidates)));
}

bool has_suffix_fields(const Row& row) {
    return std::ranges::any_of(row.format, [](const Field& f) { return f.place != Place::operand; });
}

// The row, when its name depends on the first suffix: "add3.o", and typed LSC messages (".tgm").
bool choose_by_suffix(Draft& draft) {
    const Row& row = *draft.row;
    if (draft.suffixes.count == 0)
        return row.opcode != isa::opcode::lsc_typed ||
               draft.lex().error(draft.instruction.where, "missing-suffix",
                                 fmt::format("`{}` needs the suffix `.tgm`", draft.mnemonic));
    if (!has_suffix_fields(row)) {
        const std::string dotted = fmt::format("{}.{}", row.mnemonic, draft.suffix(0));
        if (const Row* found = isa::find(dotted)) {
            draft.row = found;
            ++draft.suffixes.used;
        }
        return true;
    }
    if (draft.suffix(0) == "tgm" && row.opcode == isa::opcode::lsc_untyped) {
        draft.row = isa::find(isa::opcode::lsc_typed, row.sub);
        if (draft.row == nullptr)
            return draft.lex().error(draft.suffixes.parts[0], "bad-suffix",
                                     fmt::format("`{}` has no typed form", draft.mnemonic));
    }
    if (draft.row->opcode != isa::opcode::lsc_typed)
        return true;
    ++draft.suffixes.used; // the write side spells it from the row as well
    return draft.suffix(0) == "tgm" || draft.lex().error(draft.suffixes.parts[0], "bad-suffix",
                                                         fmt::format("`{}` needs `.tgm`", draft.mnemonic));
}

bool read_mnemonic(Draft& draft) {
    Lexer& lex = draft.lex();
    const Location where = lex.next_token();
    draft.mnemonic = lex.name();
    draft.instruction.where = where;
    if (draft.mnemonic.empty())
        return lex.expected("an instruction, a label or a directive",
                            lex.peek() == '#' ? ": a comment begins with `//`" : "");
    draft.row = isa::find(draft.mnemonic);
    if (draft.row == nullptr || no_mnemonic(*draft.row))
        return unknown_mnemonic(draft, where);
    return read_suffixes(draft) && choose_by_suffix(draft);
}

bool allowed_predicate(Draft& draft, Location where) {
    if (draft.instruction.predicate.id == 0 || isa::has_predicate(*draft.row) ||
        isa::has(*draft.row, isa::predicate_in_text))
        return true;
    return draft.lex().error(where, "no-predicate", fmt::format("`{}` cannot be predicated", draft.mnemonic));
}

// A call makes its label a subroutine's; the spelling of calls between kernels makes it theirs.
bool is_call(const Row& row) {
    return isa::has(row, isa::ends_block) && *row.spellings != '\0';
}

void mark_called_label(Draft& draft) {
    if (!is_call(*draft.row))
        return;
    for (const Operand& operand : draft.instruction.operands) {
        if (operand.kind == OperandKind::label)
            draft.reader.function->labels[operand.id].kind =
                draft.mnemonic == draft.row->mnemonic ? LabelKind::subroutine : LabelKind::fc;
    }
}

bool at_end_of_operands(Draft& draft) {
    Lexer& lex = draft.lex();
    if (lex.at_line_end())
        return true;
    const Location where = lex.next_token();
    if (lex.peek() == ':')
        return lex.error(where, "syntax", "only immediates and indirect operands have a type");
    const bool operand = is(lex.peek(), name_start) || lex.peek() == '&' || lex.peek() == '%' ||
                         lex.peek() == '(' || is(lex.peek(), digit);
    const std::string_view word = lex.text(where);
    const bool another = isa::find(word) != nullptr && draft.reader.names.find(word) == nullptr;
    if (!operand || another)
        return lex.expected_line_end(another ? ": an instruction has a line of its own" : "");
    return lex.error(where, "extra-operand", fmt::format("`{}` has no further operand", draft.mnemonic));
}

bool finish(Draft& draft, uint32_t start) {
    draft.instruction.where = draft.lex().since(start);
    if (!at_end_of_operands(draft))
        return false;
    mark_called_label(draft);
    draft.reader.function->code.push_back(std::move(draft.instruction));
    return true;
}

} // namespace

bool missing_operand(Draft& draft, const Field& field) {
    Lexer& lex = draft.lex();
    const Location read = lex.since(draft.instruction.where.offset);
    return lex.error({read.offset + read.length, 0}, "missing-operand",
                     fmt::format("`{}` lacks its operand `{}`", draft.mnemonic, field.name));
}

bool read_operands(Draft& draft) {
    Lexer& lex = draft.lex();
    for (const Slot& slot : operands_in_text_order(*draft.row, draft.instruction)) {
        if (lex.at_line_end())
            return missing_operand(draft, *slot.field);
        // The plane of a media block may be left out in front of typed offsets.
        const bool optional = slot.field->name == std::string_view("plane");
        if (optional && !lex.bare_number())
            continue;
        const bool state = slot.field->kind == FieldKind::surface || slot.field->kind == FieldKind::sampler;
        const auto read =
            state && draft.row->family == isa::Family::sampler ? read_state_or_handle : read_operand;
        if (!read(draft.reader, *slot.field, draft.instruction.operands[slot.index]))
            return false;
    }
    return true;
}

bool read_repeated(Draft& draft) {
    constexpr size_t most = 255; // the count is a byte
    const Field* field = repeated_field(*draft.row);
    if (field == nullptr)
        return true;
    Instruction& instruction = draft.instruction;
    const size_t fixed = instruction.operands.size();
    while (!draft.lex().at_line_end()) {
        Operand operand;
        if (!read_operand(draft.reader, *field, operand))
            return false;
        instruction.operands.push_back(operand);
        if (instruction.operands.size() - fixed > most)
            return draft.lex().error(operand.where, "extra-operand", "too many operands");
    }
    const Slots hidden = slots_of(*draft.row, Place::hidden);
    if (hidden.count > 0)
        instruction.operands[hidden.slots[hidden.count - 1].index].value =
            instruction.operands.size() - fixed;
    return true;
}

bool read_instruction(Reader& reader) {
    const uint32_t start = reader.lex.offset();
    Draft draft{reader, nullptr, {}, {}, {}};
    if (reader.lex.peek() == '(' && !read_predicate(draft))
        return false;
    const Location predicate = reader.lex.since(start);
    if (!read_mnemonic(draft) || !allowed_predicate(draft, predicate))
        return false;
    fill_defaults(*draft.row, draft.instruction);
    return take_suffixes(draft) && form_of(draft.row->form).read(draft) && finish(draft, start);
}

bool read_instruction(Reader& reader, const Row& row, uint32_t start) {
    Draft draft{reader, &row, reader.lex.text(reader.lex.since(start)), {}, {}};
    draft.instruction.where = reader.lex.since(start);
    fill_defaults(row, draft.instruction);
    return form_of(row.form).read(draft) && finish(draft, start);
}

void write_mnemonic(Writer& writer, const Instruction& instruction) {
    const Row& row = *instruction.row;
    const auto between_kernels = [&](const Operand& operand) {
        return operand.kind == OperandKind::label && operand.id < writer.function.labels.size() &&
               writer.function.labels[operand.id].kind == LabelKind::fc;
    };
    const bool other = is_call(row) && std::ranges::any_of(instruction.operands, between_kernels);
    writer.text(other ? row.spellings : row.mnemonic);
    if (row.opcode == isa::opcode::lsc_typed)
        writer.text(".tgm");
    write_suffixes(writer, instruction);
}

void write_operands(Writer& writer, const Instruction& instruction) {
    for (const Slot& slot : operands_in_text_order(*instruction.row, instruction)) {
        if (slot.index >= instruction.operands.size() ||
            instruction.operands[slot.index].kind == OperandKind::absent)
            continue;
        writer.separate();
        write_operand(writer, *slot.field, instruction.operands[slot.index]);
    }
}

void write_repeated(Writer& writer, const Instruction& instruction) {
    const Field* field = repeated_field(*instruction.row);
    for (size_t index = fixed_operands(*instruction.row);
         field != nullptr && index < instruction.operands.size(); ++index) {
        writer.separate();
        write_operand(writer, *field, instruction.operands[index]);
    }
}

void write_instruction(Writer& writer, const Instruction& instruction) {
    const Predicate& predicate = instruction.predicate;
    if (predicate.id != 0) {
        writer.text(predicate.inverted ? "(!" : "(");
        writer.name(VariableClass::predicate, predicate.id);
        if (predicate.control != PredicateControl::none)
            writer.text(predicate.control == PredicateControl::any ? ".any" : ".all");
        writer.text(") ");
    }
    form_of(instruction.row->form).write(writer, instruction);
}

} // namespace visor::text
