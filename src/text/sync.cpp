// Fences, named barriers, and what exists for debuggers.
#include "isa/codec.h"
#include "text/instruction.h"

#include <fmt/format.h>

namespace visor::text::forms {

namespace {

using isa::Codec;

// ---- fence_global[.EISCRL1], fence_local, fence_sw: three mnemonics of one mask

bool read_fence(Draft& draft) {
    Operand* mask = form_operand(draft.instruction, 0);
    mask->value = isa::fence_mnemonic_bits(draft.mnemonic).value_or(0);
    if (draft.suffixes.left() && mask->value != isa::fence_sw_bit) {
        const std::optional<uint64_t> flags =
            isa::parse(Codec::fence_mask, draft.suffix(draft.suffixes.used));
        if (!flags.has_value())
            return refuse_suffix(draft);
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

} // namespace

const Form fence{read_fence, write_fence};
const Form nbarrier{read_nbarrier, write_nbarrier};
const Form file{read_debug, write_file};
const Form loc{read_debug, write_loc};

} // namespace visor::text::forms
