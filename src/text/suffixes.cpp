// What stands behind a mnemonic, ".a.b.c", dealt out to the fields that are suffixes; and back.
#include "isa/codec.h"
#include "text/instruction.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

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
           codec == Codec::rt_write_mode || codec == Codec::lsc_cache || codec == Codec::lsc_overfetch;
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

// Location of the suffixes that make up one word.
Location whole(const Suffixes& suffixes, size_t count) {
    const Location first = suffixes.parts[suffixes.used];
    const Location last = suffixes.parts[suffixes.used + count - 1];
    return {first.offset, last.offset + last.length - first.offset};
}

bool refuse_word(Draft& draft, const Field& field) {
    const Suffixes& suffixes = draft.suffixes;
    const size_t left = suffixes.count - suffixes.used;
    if (field.codec == Codec::dpas_info)
        return draft.lex().error(
            whole(suffixes, left), "bad-suffix",
            fmt::format(
                "`{}` needs the precisions of src1 and src2, a depth of 1, 2, 4 or 8 and a repeat count of "
                "1 to 8, such as `.bf.bf.8.8`",
                draft.mnemonic));
    const std::string_view word = draft.suffix(suffixes.used);
    return draft.lex().error(suffixes.parts[suffixes.used], "bad-suffix",
                             fmt::format("`{}` cannot have `.{}` as its `{}`{}", draft.mnemonic, word,
                                         field.name, choices(field.codec, word)));
}

// Where the wire has three cache levels the compiler takes all of them or none.
bool breaks_off(const Draft& draft, const Field& field) {
    if (field.codec != Codec::lsc_cache || isa::operand_index(*draft.row, "caching_l2") < 0)
        return false;
    const int first = isa::operand_index(*draft.row, "caching_l1");
    return draft.instruction.operands[static_cast<size_t>(first)].where.length != 0;
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
    if (may_be_missing(field.codec) && !breaks_off(draft, field))
        return true;
    if (suffixes.left())
        return refuse_word(draft, field);
    return draft.lex().error(
        draft.instruction.where, "missing-suffix",
        fmt::format("`{}` needs a suffix for `{}`{}", draft.mnemonic, field.name, choices(field.codec, "")));
}

} // namespace

std::string choices(Codec codec, std::string_view word) {
    if (codec == Codec::channel_mask)
        return "; they are R, G, B, A, in this order";
    constexpr uint64_t most_codes = 32;
    constexpr size_t most_listed = 12;
    std::vector<std::string> words;
    for (uint64_t code = 0; code < most_codes && codec != Codec::plain && codec != Codec::hex; ++code) {
        std::string spelled = isa::spell(codec, code);
        if (!spelled.empty() && isa::parse(codec, spelled) == std::optional(code))
            words.push_back(std::move(spelled));
    }
    if (words.empty() || words.size() > most_listed)
        return did_you_mean(word, {words.begin(), words.end()});
    return fmt::format("; it can be {}", fmt::join(words, ", "));
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

bool refuse_suffix(Draft& draft, std::string_view hint) {
    const Suffixes& suffixes = draft.suffixes;
    return draft.lex().error(
        suffixes.parts[suffixes.used], "bad-suffix",
        fmt::format("`{}` has no suffix `.{}` here{}", draft.mnemonic, draft.suffix(suffixes.used), hint));
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
        const bool third = slot.field->text_only && value(slot) == 0;
        const bool unsaid = slot.field->codec == Codec::lsc_cache && (!cached || third);
        if (word.empty() || unsaid)
            continue;
        writer.text(".");
        writer.text(word);
    }
    if (instruction.saturate)
        writer.text(".sat");
}

} // namespace visor::text
