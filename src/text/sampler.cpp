// Sampler messages.
#include "isa/codec.h"
#include "text/instruction.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>

namespace visor::text::forms {

namespace {

using isa::Codec;
using isa::FieldKind;

// ---- sample_lz.RGBA (Mk, E)  offsets S T dst [paired] params...: the compiler prints two blanks behind the
// parenthesis. A surface or sampler may be written (T, index), of which only index 0 has a meaning in a
// binary.
//
// Compilers since 2024 print a paired resource, older ones do not, and no version tells them apart. The null
// variable in front of parameters is one; parameters beyond the row's last show that the first is another.

bool read_state_with_index(Draft& draft, const Slot& slot) {
    Reader& reader = draft.reader;
    Operand& operand = draft.instruction.operands[slot.index];
    const bool indexed = reader.lex.accept('(');
    uint32_t index = 0;
    return read_state_or_handle(reader, *slot.field, operand) &&
           (!indexed ||
            (reader.mark(',') && reader.number(index, 0, 0, "the index of a state") && reader.mark(')')));
}

constexpr std::string_view paired_name = "paired_resource";

std::span<const Operand> parameters_of(const Instruction& instruction) {
    const size_t fixed = std::min(fixed_operands(*instruction.row), instruction.operands.size());
    return std::span(instruction.operands).subspan(fixed);
}

bool take_paired_resource(Draft& draft) {
    Instruction& instruction = draft.instruction;
    const size_t count = parameters_of(instruction).size();
    const size_t fixed = instruction.operands.size() - count;
    if (count > 1 && is_null(instruction.operands[fixed])) {
        *operand_named(instruction, paired_name) = instruction.operands[fixed];
        instruction.operands.erase(instruction.operands.begin() + static_cast<ptrdiff_t>(fixed));
        operand_named(instruction, "num_params")->value = count - 1;
    }
    if (parameters_of(instruction).size() > isa::most_parameters(*draft.row))
        draft.lex().diagnostics().unsupported(
            instruction.operands[fixed].where, "paired-resource",
            fmt::format("`{}` takes up to {} parameters behind its result, not {}: more of them, or a paired "
                        "resource other than `%null`, are not supported yet",
                        draft.mnemonic, isa::most_parameters(*draft.row), parameters_of(instruction).size()));
    return true;
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
    if (!read_repeated(draft) || !take_paired_resource(draft))
        return false;
    return !parameters_of(draft.instruction).empty() || missing_operand(draft, *repeated_field(*draft.row));
}

// The null variable as the first of several parameters would be read as a paired resource.
bool has_paired_resource(const Instruction& instruction, const Operand* paired) {
    if (paired != nullptr && paired->kind != OperandKind::absent)
        return true;
    const std::span<const Operand> parameters = parameters_of(instruction);
    return parameters.size() > 1 && is_null(parameters.front());
}

void write_sample_3d(Writer& writer, const Instruction& instruction) {
    write_mnemonic(writer, instruction);
    write_execution(writer, instruction.execution);
    writer.separate();
    write_operands(writer, instruction);
    const Operand* const paired = operand_named(instruction, paired_name);
    if (has_paired_resource(instruction, paired)) {
        Operand null;
        null.kind = OperandKind::raw;
        writer.separate();
        write_operand(writer, *repeated_field(*instruction.row),
                      paired->kind == OperandKind::absent ? null : *paired);
    }
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
        return refuse_suffix(draft);
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

} // namespace

const Form sample_3d{read_sample_3d, write_sample_3d};
const Form sample_legacy{read_sample_legacy, write_sample_legacy};

} // namespace visor::text::forms
