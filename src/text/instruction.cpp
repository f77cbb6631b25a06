#include "text/instruction.h"

#include "isa/codec.h"

#include <algorithm>

#include <fmt/format.h>

namespace visor::text {

namespace {

using isa::Codec;
using isa::Field;
using isa::FieldKind;
using isa::Place;
using isa::Row;

bool is_literal(FieldKind kind) {
    return kind == FieldKind::literal8 || kind == FieldKind::literal16 || kind == FieldKind::literal32 ||
           kind == FieldKind::sub_opcode16;
}

uint64_t largest(FieldKind kind) {
    if (kind == FieldKind::literal16)
        return 0xffff;
    return kind == FieldKind::literal32 ? 0xffffffff : 0xff;
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

// ---- suffixes

// How many dot-separated parts the word of a codec has at most.
size_t most_parts(Codec codec) {
    switch (codec) {
    case Codec::dpas_info:
        return 4;
    case Codec::sampler_flags:
        return 3;
    case Codec::atomic_op:
    case Codec::call_flags:
    case Codec::unorm_output:
        return 2;
    default:
        return 1;
    }
}

bool may_be_missing(Codec codec) {
    return codec == Codec::modified || codec == Codec::call_flags || codec == Codec::sampler_flags ||
           codec == Codec::rt_write_mode || codec == Codec::lsc_cache;
}

// One part: a run of letters and digits, with dashes in between ("16-full"), or "<A><B>".
Location suffix_part(Lexer& lex) {
    const uint32_t start = lex.offset();
    while (lex.peek() == '<' && is(lex.peek(1), name_start)) {
        size_t length = 1;
        while (is(lex.peek(length), name_part))
            ++length;
        if (lex.peek(length) != '>')
            break;
        lex.advance(length + 1);
    }
    while (is(lex.peek(), name_part) || (lex.peek() == '-' && is(lex.peek(1), name_start)))
        lex.advance();
    return {start, lex.offset() - start};
}

bool read_suffixes(Draft& draft) {
    Lexer& lex = draft.lex();
    while (lex.accept('.')) {
        lex.skip_blanks();
        const Location part = suffix_part(lex);
        if (part.length == 0)
            return lex.expected("a suffix behind the dot");
        if (draft.suffixes.count == Suffixes::most)
            return lex.error(part, "bad-suffix", "no instruction has so many suffixes");
        draft.suffixes.parts[draft.suffixes.count++] = part;
    }
    return true;
}

std::string joined(Draft& draft, size_t count) {
    std::string text(draft.suffix(draft.suffixes.used));
    for (size_t index = 1; index < count; ++index)
        text.append(".").append(draft.suffix(draft.suffixes.used + index));
    return text;
}

bool take_suffix(Draft& draft, const Field& field, Operand& operand) {
    Suffixes& suffixes = draft.suffixes;
    size_t count = std::min(most_parts(field.codec), suffixes.count - suffixes.used);
    std::optional<uint64_t> code;
    for (; count > 0 && !code.has_value(); --count) {
        code = isa::parse(field.codec, joined(draft, count));
        if (code.has_value())
            break;
    }
    // No channel at all has no spelling of the compiler's; it must not be lost in between.
    if (!code.has_value() && field.codec == Codec::channel_mask && draft.suffix(suffixes.used) == "0") {
        code = 0;
        count = 1;
    }
    if (code.has_value()) {
        const Location where = suffixes.parts[suffixes.used];
        suffixes.used += count;
        operand.value = *code;
        operand.where = where;
        return *code <= largest(field.kind) ||
               draft.lex().error(where, "number-out-of-range",
                                 fmt::format("`{}` must be 0 to {}", field.name, largest(field.kind)));
    }
    if (may_be_missing(field.codec))
        return true;
    if (suffixes.left())
        return draft.lex().error(suffixes.parts[suffixes.used], "bad-suffix",
                                 fmt::format("`{}` cannot have `.{}` as its `{}`", draft.mnemonic,
                                             draft.suffix(suffixes.used), field.name));
    return draft.lex().error(draft.instruction.where, "missing-suffix",
                             fmt::format("`{}` needs a suffix for `{}`", draft.mnemonic, field.name));
}

// ---- (Mk, E)

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
                         fmt::format("`{}` cannot have the size {}", draft.mnemonic, number->value));
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

// ---- predicate and mnemonic

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
    std::vector<std::string_view> candidates = isa::mnemonics();
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
        return row.opcode != isa::lsc_typed_opcode ||
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
    if (draft.suffix(0) == "tgm" && row.opcode == isa::lsc_untyped_opcode) {
        draft.row = isa::find(isa::lsc_typed_opcode, row.sub);
        if (draft.row == nullptr)
            return draft.lex().error(draft.suffixes.parts[0], "bad-suffix",
                                     fmt::format("`{}` has no typed form", draft.mnemonic));
    }
    if (draft.row->opcode != isa::lsc_typed_opcode)
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
        return lex.expected("an instruction, a label or a directive");
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
    if (!operand)
        return lex.expected("the end of the line");
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

// ---- rows

size_t fixed_operands(const Row& row) {
    size_t count = 0;
    for (const Field& field : row.format) {
        if (field.kind == FieldKind::counted)
            break;
        count += isa::is_operand(field.kind) ? 1 : 0;
    }
    return count;
}

const Field* repeated_field(const Row& row) {
    const auto mark = std::ranges::find(row.format, FieldKind::counted, &Field::kind);
    return mark == row.format.end() || mark + 1 == row.format.end() ? nullptr : &*(mark + 1);
}

Slots slots_of(const Row& row, Place place) {
    Slots slots;
    size_t index = 0;
    for (const Field& field : row.format) {
        if (field.kind == FieldKind::counted)
            break;
        if (!isa::is_operand(field.kind))
            continue;
        if (field.place == place)
            slots.add(field, index);
        ++index;
    }
    return slots;
}

Slots operands_in_text_order(const Row& row, const Instruction& instruction) {
    Slots slots = slots_of(row, Place::operand);
    if (*row.text_order != '\0') {
        const Slots wire = slots;
        slots.count = 0;
        for (const char* order = row.text_order; *order != '\0'; ++order) {
            const auto position = static_cast<size_t>(*order - '0');
            if (position < wire.count)
                slots.add(*wire.slots[position].field, wire.slots[position].index);
        }
    }
    const bool switched =
        std::ranges::any_of(row.format, [](const Field& field) { return field.present_if != 0; });
    if (const Operand* mode = switched ? operand_named(instruction, "mode") : nullptr) {
        const auto switched_off = [mode](const Slot& slot) {
            return slot.field->present_if != 0 && (mode->value & slot.field->present_if) == 0;
        };
        const auto kept = std::remove_if(
            slots.slots.begin(), slots.slots.begin() + static_cast<ptrdiff_t>(slots.count), switched_off);
        slots.count = static_cast<size_t>(kept - slots.slots.begin());
    }
    return slots;
}

Operand* operand_named(Instruction& instruction, std::string_view name) {
    const int index = isa::operand_index(*instruction.row, name);
    const bool there = index >= 0 && static_cast<size_t>(index) < instruction.operands.size();
    return there ? &instruction.operands[static_cast<size_t>(index)] : nullptr;
}

const Operand* operand_named(const Instruction& instruction, std::string_view name) {
    const int index = isa::operand_index(*instruction.row, name);
    const bool there = index >= 0 && static_cast<size_t>(index) < instruction.operands.size();
    return there ? &instruction.operands[static_cast<size_t>(index)] : nullptr;
}

// ---- reading

bool take_suffixes(Draft& draft) {
    for (const Slot& slot : slots_of(*draft.row, Place::suffix)) {
        if (!take_suffix(draft, *slot.field, draft.instruction.operands[slot.index]))
            return false;
    }
    if (isa::has(*draft.row, isa::can_saturate) && draft.suffix(draft.suffixes.used) == "sat") {
        draft.instruction.saturate = true;
        ++draft.suffixes.used;
    }
    return true;
}

bool suffixes_used_up(Draft& draft) {
    const Suffixes& suffixes = draft.suffixes;
    return !suffixes.left() || draft.lex().error(suffixes.parts[suffixes.used], "bad-suffix",
                                                 fmt::format("`{}` has no suffix `.{}` here", draft.mnemonic,
                                                             draft.suffix(suffixes.used)));
}

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
        if (!read_operand(draft.reader, *slot.field, draft.instruction.operands[slot.index]))
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

// ---- writing

void write_suffixes(Writer& writer, const Instruction& instruction) {
    const Slots slots = slots_of(*instruction.row, Place::suffix);
    const auto value = [&](const Slot& slot) {
        return slot.index < instruction.operands.size() ? instruction.operands[slot.index].value : 0;
    };
    const bool cached = std::any_of(slots.begin(), slots.end(), [&](const Slot& slot) {
        return slot.field->codec == Codec::lsc_cache && value(slot) != 0;
    });
    for (const Slot& slot : slots) {
        const std::string word = isa::spell(slot.field->codec, value(slot));
        const bool unsaid = slot.field->codec == Codec::lsc_cache && !cached;
        if (word.empty() || unsaid)
            continue;
        writer.text(".");
        writer.text(word);
    }
    if (instruction.saturate)
        writer.text(".sat");
}

void write_mnemonic(Writer& writer, const Instruction& instruction) {
    const Row& row = *instruction.row;
    const auto between_kernels = [&](const Operand& operand) {
        return operand.kind == OperandKind::label && operand.id < writer.function.labels.size() &&
               writer.function.labels[operand.id].kind == LabelKind::fc;
    };
    const bool other = is_call(row) && std::ranges::any_of(instruction.operands, between_kernels);
    writer.text(other ? row.spellings : row.mnemonic);
    if (row.opcode == isa::lsc_typed_opcode)
        writer.text(".tgm");
    write_suffixes(writer, instruction);
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
