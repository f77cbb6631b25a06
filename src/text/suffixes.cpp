// What stands behind a mnemonic, ".a.b.c", dealt out to the fields that are suffixes; and back.
#include "isa/codec.h"
#include "text/instruction.h"

#include <algorithm>

#include <fmt/format.h>

namespace visor::text {

namespace {

using isa::Codec;
using isa::Field;
using isa::Place;

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

std::string joined(Draft& draft, size_t count) {
    std::string text(draft.suffix(draft.suffixes.used));
    for (size_t index = 1; index < count; ++index)
        text.append(".").append(draft.suffix(draft.suffixes.used + index));
    return text;
}

bool is_lower(char c) {
    return c >= 'a' && c <= 'z';
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
        if (field.codec == Codec::channel_mask && std::ranges::any_of(draft.suffix(suffixes.used), is_lower))
            draft.reader.module.unpaged_spellings.push_back({where, "a channel in lower case"});
        suffixes.used += count;
        operand.value = *code;
        operand.where = where;
        return *code <= largest_literal(field.kind) ||
               draft.lex().error(
                   where, "number-out-of-range",
                   fmt::format("`{}` must be 0 to {}", field.name, largest_literal(field.kind)));
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

} // namespace

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

bool refuse_suffix(Draft& draft) {
    const Suffixes& suffixes = draft.suffixes;
    return draft.lex().error(
        suffixes.parts[suffixes.used], "bad-suffix",
        fmt::format("`{}` has no suffix `.{}` here", draft.mnemonic, draft.suffix(suffixes.used)));
}

bool suffixes_used_up(Draft& draft) {
    return !draft.suffixes.left() || refuse_suffix(draft);
}

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

} // namespace visor::text
