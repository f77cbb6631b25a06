// The forms of instructions that are not "mnemonic.suffixes (Mk, E) operands", each with its two directions
// next to each other. A form is a matter of arrangement: fields, codecs and literals are still the row's.
#include "isa/codec.h"
#include "text/instruction.h"

#include <algorithm>

#include <fmt/format.h>

namespace visor::text::forms {

namespace {

using isa::Codec;
using isa::Field;
using isa::FieldKind;
using isa::Place;

Operand* form_operand(Instruction& instruction, size_t position) {
    const Slots slots = slots_of(*instruction.row, Place::form);
    return position < slots.count ? &instruction.operands[slots.slots[position].index] : nullptr;
}
uint64_t form_value(const Instruction& instruction, size_t position) {
    const Slots slots = slots_of(*instruction.row, Place::form);
    const bool there = position < slots.count && slots.slots[position].index < instruction.operands.size();
    return there ? instruction.operands[slots.slots[position].index].value : 0;
}

bool bad_suffix(Draft& draft) {
    const Suffixes& suffixes = draft.suffixes;
    return draft.lex().error(
        suffixes.parts[suffixes.used], "bad-suffix",
        fmt::format("`{}` has no suffix `.{}` here", draft.mnemonic, draft.suffix(suffixes.used)));
}

// ---- regular; svm_block_ld and _st have their alignment as a suffix and in the literal of their size

const Slot* alignment_slot(const Slots& in_parenthesis) {
    const bool there = in_parenthesis.count > 0 && in_parenthesis.slots[0].field->codec == Codec::svm_block;
    return there ? in_parenthesis.begin() : nullptr;
}

bool read_alignment(Draft& draft, bool& unaligned) {
    const std::string_view suffix = draft.suffix(draft.suffixes.used);
    unaligned = suffix == "unaligned";
    const bool aligned = suffix == "aligned";
    if (aligned)
        draft.reader.module.modern_suffixes = true;
    if (aligned || unaligned) {
        ++draft.suffixes.used;
        return true;
    }
    return false;
}

bool read_regular(Draft& draft) {
    const Slots in_parenthesis = slots_of(*draft.row, Place::paren);
    const Slot* alignment = alignment_slot(in_parenthesis);
    bool unaligned = false;
    const bool said = alignment != nullptr && read_alignment(draft, unaligned);
    if (!suffixes_used_up(draft) || !read_parenthesis(draft))
        return false;
    if (alignment != nullptr) {
        draft.instruction.operands[alignment->index].value |= unaligned ? isa::svm_block_unaligned : 0;
        Reader& reader = draft.reader;
        if (!said && isa::has(*draft.row, isa::reads_memory))
            reader.unsaid_alignments.push_back(
                {reader.module.functions.size() - 1, reader.function->code.size(), alignment->index});
    }
    return read_operands(draft) && read_repeated(draft);
}

void write_alignment(Writer& writer, const Instruction& instruction) {
    const Slots in_parenthesis = slots_of(*instruction.row, Place::paren);
    const Slot* slot = alignment_slot(in_parenthesis);
    if (slot == nullptr || slot->index >= instruction.operands.size())
        return;
    const bool unaligned = (instruction.operands[slot->index].value & isa::svm_block_unaligned_read) != 0;
    const bool load = isa::has(*instruction.row, isa::reads_memory);
    if (unaligned)
        writer.text(".unaligned");
    else if (load && writer.explicit_alignment)
        writer.text(".aligned");
}

void write_regular(Writer& writer, const Instruction& instruction) {
    write_mnemonic(writer, instruction);
    write_alignment(writer, instruction);
    write_parenthesis(writer, instruction);
    write_operands(writer, instruction);
    write_repeated(writer, instruction);
}

// ---- lifetime.start V: the class of the variable is part of the same literal

bool read_no_exec(Draft& draft) {
    if (!read_regular(draft))
        return false;
    constexpr unsigned class_shift = 4;
    std::vector<Operand>& operands = draft.instruction.operands;
    const auto variable = std::ranges::find(operands, OperandKind::variable, &Operand::kind);
    if (variable != operands.end())
        operands[0].value |= uint64_t{variable->klass} << class_shift;
    return true;
}

// ---- fence_global[.EISCRL1], fence_local, fence_sw: three mnemonics of one mask

bool read_fence(Draft& draft) {
    Operand* mask = form_operand(draft.instruction, 0);
    mask->value = isa::fence_mnemonic_bits(draft.mnemonic).value_or(0);
    if (draft.suffixes.left() && mask->value != isa::fence_sw_bit) {
        const std::optional<uint64_t> flags =
            isa::parse(Codec::fence_mask, draft.suffix(draft.suffixes.used));
        if (!flags.has_value())
            return bad_suffix(draft);
        mask->value |= *flags;
        mask->where = draft.suffixes.parts[draft.suffixes.used++];
    }
    return suffixes_used_up(draft);
}

void write_fence(Writer& writer, const Instruction& instruction) {
    const uint64_t mask = form_value(instruction, 0);
    writer.text(isa::fence_mnemonic(mask));
    const std::string flags = isa::spell(Codec::fence_mask, mask);
    if (!flags.empty()) {
        writer.text(".");
        writer.text(flags);
    }
}

// ---- dpas.W.A.SD.RC (Mk, E) dst src0 src1 src2(r,c): the region of vector sources is implied

bool read_dpas(Draft& draft) {
    if (!suffixes_used_up(draft) || !read_execution(draft))
        return false;
    for (const Slot& slot : operands_in_text_order(*draft.row, draft.instruction)) {
        Operand& operand = draft.instruction.operands[slot.index];
        if (draft.lex().at_line_end())
            return missing_operand(draft, *slot.field);
        operand.where = draft.lex().next_token();
        const bool raw = slot.field->kind != FieldKind::vector_src;
        if (!(raw ? read_raw(draft.reader, operand, false) : read_simple_vector(draft.reader, operand)))
            return false;
        operand.where = draft.lex().since(operand.where.offset);
    }
    return true;
}

void write_dpas(Writer& writer, const Instruction& instruction) {
    write_mnemonic(writer, instruction);
    write_execution(writer, instruction.execution);
    for (const Slot& slot : operands_in_text_order(*instruction.row, instruction)) {
        if (slot.index >= instruction.operands.size())
            continue;
        const Operand& operand = instruction.operands[slot.index];
        writer.separate();
        if (operand.kind == OperandKind::general)
            write_simple_vector(writer, operand);
        else
            write_operand(writer, *slot.field, operand);
    }
}

// ---- raw_send[c], raw_sends[c][_eot], raw_sendg[c][_eot]: modifiers are the mnemonic's tail

bool read_modifiers(Draft& draft) {
    const std::string_view tail = draft.mnemonic.substr(std::string_view(draft.row->mnemonic).size());
    form_operand(draft.instruction, 0)->value = isa::parse(Codec::send_modifiers, tail).value_or(0);
    return true;
}

void write_send_mnemonic(Writer& writer, const Instruction& instruction) {
    writer.text(instruction.row->mnemonic);
    writer.text(isa::spell(Codec::send_modifiers, form_value(instruction, 0)));
}

bool read_raw_send(Draft& draft) {
    return read_modifiers(draft) && suffixes_used_up(draft) && read_execution(draft) && read_operands(draft);
}

void write_raw_send(Writer& writer, const Instruction& instruction) {
    write_send_mnemonic(writer, instruction);
    write_execution(writer, instruction.execution);
    write_operands(writer, instruction);
}

// raw_sends.sfid.num_src0.num_src1.num_dst: the wire has the counts first. The compiler's conditional form
// has no sfid.
constexpr std::array<size_t, 4> sends_order{4, 1, 2, 3}; // positions among the row's form fields
constexpr uint64_t conditional = 1;                      // of the modifiers

bool read_raw_sends(Draft& draft) {
    static_cast<void>(read_modifiers(draft));
    const Suffixes& given = draft.suffixes;
    const bool short_form = given.count == 3 && (form_value(draft.instruction, 0) & conditional) != 0;
    if (given.count != sends_order.size() && !short_form)
        return draft.lex().error(draft.instruction.where, "missing-suffix",
                                 fmt::format("`{}` needs `.sfid.num_src0.num_src1.num_dst`", draft.mnemonic));
    for (size_t index = short_form ? 1 : 0; index < sends_order.size(); ++index) {
        const std::optional<uint64_t> number = isa::parse(Codec::plain, draft.suffix(draft.suffixes.used));
        if (!number.has_value() || *number > 0xff)
            return bad_suffix(draft);
        form_operand(draft.instruction, sends_order[index])->value = *number;
        ++draft.suffixes.used;
    }
    return read_execution(draft) && read_operands(draft);
}

void write_raw_sends(Writer& writer, const Instruction& instruction) {
    write_send_mnemonic(writer, instruction);
    const bool short_form =
        (form_value(instruction, 0) & conditional) != 0 && form_value(instruction, 4) == 0;
    for (size_t index = short_form ? 1 : 0; index < sends_order.size(); ++index)
        writer.text(fmt::format(".{}", form_value(instruction, sends_order[index])));
    write_execution(writer, instruction.execution);
    write_operands(writer, instruction);
}

// raw_sendg.sfid (Mk, E) dst/len src0/len src1/len ind0 ind1 desc: form fields are modifiers, sfid, the three
// lengths and the halves of the descriptor.
struct Sfid {
    std::string_view name;
    uint8_t code;
};
constexpr std::array sendg_sfids{Sfid{"null", 0}, Sfid{"smpl", 2}, Sfid{"gtwy", 3}, Sfid{"rc", 5},
                                 Sfid{"urb", 6},  Sfid{"btd", 7},  Sfid{"rta", 8},  Sfid{"tgm", 13},
                                 Sfid{"ugm", 14}, Sfid{"slm", 15}};

bool read_sendg_sfid(Draft& draft) {
    if (!draft.suffixes.left())
        return draft.lex().error(draft.instruction.where, "missing-suffix",
                                 fmt::format("`{}` needs the suffix of a shared function", draft.mnemonic));
    const std::string_view spelled = draft.suffix(draft.suffixes.used);
    const auto known = std::ranges::find(sendg_sfids, spelled, &Sfid::name);
    const std::optional<uint64_t> code =
        known != sendg_sfids.end() ? std::optional<uint64_t>(known->code) : isa::parse(Codec::plain, spelled);
    if (!code.has_value() || *code > 15)
        return bad_suffix(draft);
    form_operand(draft.instruction, 1)->value = *code;
    ++draft.suffixes.used;
    return suffixes_used_up(draft);
}

bool read_raw_sendg(Draft& draft) {
    Reader& reader = draft.reader;
    if (!read_modifiers(draft) || !read_sendg_sfid(draft) || !read_execution(draft))
        return false;
    size_t position = 2;
    for (const Slot& slot : operands_in_text_order(*draft.row, draft.instruction)) {
        if (!read_operand(reader, *slot.field, draft.instruction.operands[slot.index]))
            return false;
        const bool payload = slot.field->kind == FieldKind::raw_src || slot.field->kind == FieldKind::raw_dst;
        if (!payload)
            continue;
        if (!reader.mark('/') || !reader.number(form_operand(draft.instruction, position++)->value, 0, 0xffff,
                                                "a payload's length"))
            return false;
    }
    const std::optional<int64_t> descriptor = reader.primary("the descriptor");
    if (!descriptor.has_value())
        return false;
    const auto bits = static_cast<uint64_t>(*descriptor);
    form_operand(draft.instruction, 5)->value = bits & UINT32_MAX;
    form_operand(draft.instruction, 6)->value = bits >> 32U;
    return true;
}

void write_raw_sendg(Writer& writer, const Instruction& instruction) {
    write_send_mnemonic(writer, instruction);
    writer.text(fmt::format(".{}", form_value(instruction, 1)));
    write_execution(writer, instruction.execution);
    size_t position = 2;
    for (const Slot& slot : operands_in_text_order(*instruction.row, instruction)) {
        if (slot.index >= instruction.operands.size())
            continue;
        writer.separate();
        write_operand(writer, *slot.field, instruction.operands[slot.index]);
        if (slot.field->kind == FieldKind::raw_src || slot.field->kind == FieldKind::raw_dst)
            writer.text(fmt::format("/{}", form_value(instruction, position++)));
    }
    writer.separate();
    writer.hex(form_value(instruction, 6) << 32U | form_value(instruction, 5));
}

// ---- sample_lz.RGBA (Mk, E)  offsets S T dst params...: the compiler prints two blanks behind the
// parenthesis. A surface or sampler may be written (T, index), of which only index 0 has a meaning in a
// binary.

bool read_state_with_index(Draft& draft, const Slot& slot) {
    Reader& reader = draft.reader;
    Operand& operand = draft.instruction.operands[slot.index];
    const bool indexed = reader.lex.accept('(');
    uint32_t index = 0;
    return read_operand(reader, *slot.field, operand) &&
           (!indexed ||
            (reader.mark(',') && reader.number(index, 0, 0, "the index of a state") && reader.mark(')')));
}

bool read_sample_3d(Draft& draft) {
    if (!suffixes_used_up(draft) || !read_execution(draft))
        return false;
    for (const Slot& slot : operands_in_text_order(*draft.row, draft.instruction)) {
        if (draft.lex().at_line_end())
            return missing_operand(draft, *slot.field);
        const bool state = slot.field->kind == FieldKind::surface || slot.field->kind == FieldKind::sampler;
        if (!(state ? read_state_with_index(draft, slot)
                    : read_operand(draft.reader, *slot.field, draft.instruction.operands[slot.index])))
            return false;
    }
    return read_repeated(draft);
}

void write_sample_3d(Writer& writer, const Instruction& instruction) {
    write_mnemonic(writer, instruction);
    write_execution(writer, instruction.execution);
    writer.separate();
    write_operands(writer, instruction);
    write_repeated(writer, instruction);
}

// ---- sample.RGBA (16) S T u v r dst: the SIMD mode shares a literal with the channels

bool read_sample_legacy(Draft& draft) {
    Lexer& lex = draft.lex();
    if (!draft.suffixes.left())
        return lex.error(draft.instruction.where, "missing-suffix",
                         fmt::format("`{}` needs its channels as a suffix", draft.mnemonic));
    std::string word(draft.suffix(draft.suffixes.used));
    if (lex.accept('(')) {
        lex.skip_blanks();
        const Location mode = lex.next_token();
        if (!lex.integer("8 or 16").has_value() || !draft.reader.mark(')'))
            return false;
        word.append(".").append(lex.text(mode));
    } else {
        word.append(".8");
    }
    const std::optional<uint64_t> code = isa::parse(Codec::channels_simd, word);
    if (!code.has_value())
        return bad_suffix(draft);
    form_operand(draft.instruction, 0)->value = *code;
    ++draft.suffixes.used;
    return suffixes_used_up(draft) && read_operands(draft);
}

void write_sample_legacy(Writer& writer, const Instruction& instruction) {
    const std::string word = isa::spell(Codec::channels_simd, form_value(instruction, 0));
    const size_t dot = word.find('.');
    writer.text(
        fmt::format("{}.{} ({})", instruction.row->mnemonic, word.substr(0, dot), word.substr(dot + 1)));
    write_operands(writer, instruction);
}

// ---- gather.4 (M1, 16).mod T6 ...: the modifier stands behind the parenthesis

bool read_gather_legacy(Draft& draft) {
    Lexer& lex = draft.lex();
    if (!suffixes_used_up(draft) || !read_parenthesis(draft))
        return false;
    Operand* modified = operand_named(draft.instruction, "is_modified");
    if (modified != nullptr && lex.accept('.')) {
        modified->where = lex.next_token();
        if (!lex.accept_word("mod"))
            return lex.expected("`mod`");
        modified->value = 1;
    }
    return read_operands(draft);
}

void write_gather_legacy(Writer& writer, const Instruction& instruction) {
    writer.text(instruction.row->mnemonic);
    const Slots slots = slots_of(*instruction.row, Place::suffix);
    const auto word = [&](const Slot& slot) {
        return slot.index < instruction.operands.size()
                   ? isa::spell(slot.field->codec, instruction.operands[slot.index].value)
                   : std::string();
    };
    writer.text(fmt::format(".{}", word(slots.slots[0])));
    write_parenthesis(writer, instruction);
    if (slots.count > 1 && !word(slots.slots[1]).empty())
        writer.text(".mod");
    write_operands(writer, instruction);
}

// ---- nbarrier.wait id; nbarrier.signal id threads; nbarrier.signal id type producers consumers

constexpr uint64_t baseline_signal = 1;
constexpr uint64_t general_signal = 2;

bool read_nbarrier(Draft& draft) {
    if (!suffixes_used_up(draft))
        return false;
    std::vector<Operand>& operands = draft.instruction.operands;
    const Slots slots = operands_in_text_order(*draft.row, draft.instruction);
    const bool signals = operands[0].value != 0;
    std::array<Operand, Slots::most> given;
    size_t count = 0;
    for (; count < slots.count && !draft.lex().at_line_end(); ++count) {
        if (!read_operand(draft.reader, *slots.slots[count].field, given[count]))
            return false;
    }
    const size_t wanted = !signals ? 1 : count > 2 ? slots.count : 2;
    if (count < wanted)
        return missing_operand(draft, *slots.slots[count].field);
    if (count > wanted)
        return draft.lex().error(given[wanted].where, "extra-operand",
                                 fmt::format("`{}` has no further operand", draft.mnemonic));
    // The baseline's one number of threads is that of the producers; it means the consumers' as well.
    const bool baseline = signals && count == 2;
    for (size_t index = 0; index < count; ++index)
        operands[slots.slots[baseline && index == 1 ? 2 : index].index] = given[index];
    if (signals)
        operands[0].value = baseline ? baseline_signal : general_signal;
    return true;
}

void write_nbarrier(Writer& writer, const Instruction& instruction) {
    write_mnemonic(writer, instruction);
    const uint64_t mode = instruction.operands.empty() ? 0 : instruction.operands[0].value;
    const Slots slots = operands_in_text_order(*instruction.row, instruction);
    for (size_t position = 0; position < slots.count; ++position) {
        const Slot& slot = slots.slots[position];
        const bool shown =
            position == 0 || mode == general_signal || (mode == baseline_signal && position == 2);
        if (!shown || slot.index >= instruction.operands.size())
            continue;
        writer.separate();
        write_operand(writer, *slot.field, instruction.operands[slot.index]);
    }
}

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

// ---- FILE "name", LOC line

bool read_debug(Draft& draft) {
    return read_operands(draft);
}

void write_file(Writer& writer, const Instruction& instruction) {
    writer.text("FILE");
    write_operands(writer, instruction);
}

void write_loc(Writer& writer, const Instruction& instruction) {
    writer.text("LOC");
    write_operands(writer, instruction);
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

const Form subroutine{read_nothing, write_subroutine};
const Form label{read_nothing, write_label};
const Form regular{read_regular, write_regular};
const Form no_exec{read_no_exec, write_regular};
const Form fence{read_fence, write_fence};
const Form dpas{read_dpas, write_dpas};
const Form raw_send{read_raw_send, write_raw_send};
const Form raw_sends{read_raw_sends, write_raw_sends};
const Form raw_sendg{read_raw_sendg, write_raw_sendg};
const Form sample_3d{read_sample_3d, write_sample_3d};
const Form sample_legacy{read_sample_legacy, write_sample_legacy};
const Form gather_legacy{read_gather_legacy, write_gather_legacy};
const Form nbarrier{read_nbarrier, write_nbarrier};
const Form switchjmp{read_switchjmp, write_switchjmp};
const Form file{read_debug, write_file};
const Form loc{read_debug, write_loc};

} // namespace visor::text::forms

namespace visor::text {

const Form& form_of(isa::TextForm form) {
    using enum isa::TextForm;
    switch (form) {
    case regular:
    case calls:
    case rt_write:
        break;
    case no_exec:
        return forms::no_exec;
    case fence:
        return forms::fence;
    case lsc_untyped:
        return forms::lsc_untyped;
    case lsc_block2d:
        return forms::lsc_block2d;
    case lsc_typed:
        return forms::lsc_typed;
    case lsc_state_info:
        return forms::lsc_state_info;
    case lsc_fence:
        return forms::lsc_fence;
    case dpas:
        return forms::dpas;
    case raw_send:
        return forms::raw_send;
    case raw_sends:
        return forms::raw_sends;
    case raw_sendg:
        return forms::raw_sendg;
    case sample_legacy:
        return forms::sample_legacy;
    case sample_3d:
        return forms::sample_3d;
    case gather_legacy:
        return forms::gather_legacy;
    case nbarrier:
        return forms::nbarrier;
    case file:
        return forms::file;
    case loc:
        return forms::loc;
    case subroutine:
        return forms::subroutine;
    case label:
        return forms::label;
    case switchjmp:
        return forms::switchjmp;
    }
    return forms::regular;
}

} // namespace visor::text
