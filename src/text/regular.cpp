// The form of most instructions, "mnemonic.suffixes (Mk, E) operands", and those that differ from it by one
// part.
#include "isa/codec.h"
#include "text/instruction.h"

#include <algorithm>

#include <fmt/format.h>

namespace visor::text::forms {

namespace {

using isa::Codec;
using isa::FieldKind;
using isa::Place;

// ---- regular; svm_block_ld and _st have their alignment as a suffix and in the literal of their size

const Slot* alignment_slot(const Slots& in_parenthesis) {
    const bool there = in_parenthesis.count > 0 && in_parenthesis.slots[0].field->codec == Codec::svm_block;
    return there ? in_parenthesis.begin() : nullptr;
}

bool read_alignment(Draft& draft, bool& unaligned) {
    const std::string_view suffix = draft.suffix(draft.suffixes.used);
    unaligned = suffix == "unaligned";
    const bool aligned = suffix == "aligned";
    if (aligned) {
        draft.reader.module.modern_suffixes = true;
        draft.reader.module.unpaged_spellings.push_back(
            {draft.suffixes.parts[draft.suffixes.used], "the suffix `.aligned`"});
    }
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
    if (alignment != nullptr && draft.suffixes.left())
        return refuse_suffix(draft,
                             did_you_mean(draft.suffix(draft.suffixes.used), {"aligned", "unaligned"}));
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

} // namespace

const Form regular{read_regular, write_regular};
const Form no_exec{read_no_exec, write_regular};
const Form dpas{read_dpas, write_dpas};
const Form gather_legacy{read_gather_legacy, write_gather_legacy};

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
