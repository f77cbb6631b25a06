// Raw messages: the modifiers are the tail of the mnemonic, counts are suffixes or stand behind a slash.
#include "isa/codec.h"
#include "text/instruction.h"

#include <algorithm>

#include <fmt/format.h>

namespace visor::text::forms {

namespace {

using isa::Codec;
using isa::FieldKind;

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
            return refuse_suffix(draft);
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
        return refuse_suffix(draft);
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

} // namespace

const Form raw_send{read_raw_send, write_raw_send};
const Form raw_sends{read_raw_sends, write_raw_sends};
const Form raw_sendg{read_raw_sendg, write_raw_sendg};

} // namespace visor::text::forms
