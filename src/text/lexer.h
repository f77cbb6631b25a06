// The characters of vISA text: a cursor over the source that knows blanks, comments, joined lines, names,
// numbers and strings, and words the message when something else was expected. It knows no grammar and no
// instruction, reads each byte a bounded number of times and allocates only for a string with escapes.
#pragma once

#include "diagnostic/diagnostic.h"

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace visor::text {

enum CharacterClass : uint8_t {
    name_start = 1U << 0U,
    name_part = 1U << 1U,
    digit = 1U << 2U,
    hex_digit = 1U << 3U,
    label_start = 1U << 4U,
    label_part = 1U << 5U,
    blank = 1U << 6U,
    // What may follow without a look at blanks, comments and joined lines.
    plain = 1U << 7U,
};
extern const std::array<uint8_t, 256> character_classes;
[[nodiscard]] inline bool is(char c, CharacterClass wanted) {
    return (character_classes[static_cast<unsigned char>(c)] & wanted) != 0;
}
// Whether the whole text is one name, or one label as its definition may spell it.
[[nodiscard]] bool is_name(std::string_view text);
[[nodiscard]] bool is_label(std::string_view text);

struct Integer {
    uint64_t value = 0;
    bool hex = false;
};

class Lexer {
public:
    static constexpr size_t max_name = 4096; // of a name or a string, as the compiler's lexer has it

    Lexer(std::string_view source, Diagnostics& diagnostics)
        : begin_(source.data()), end_(begin_ + source.size()), at_(begin_), diagnostics_(diagnostics) {}

    [[nodiscard]] uint32_t offset() const { return static_cast<uint32_t>(at_ - begin_); }
    void rewind(uint32_t offset) { at_ = begin_ + offset; }
    [[nodiscard]] bool at_end() const { return at_ == end_; }
    // NUL past the end.
    [[nodiscard]] char peek(size_t ahead = 0) const {
        return ahead < static_cast<size_t>(end_ - at_) ? at_[ahead] : '\0';
    }
    void advance(size_t count = 1) { at_ += count; }
    // From `start` to the end of what was read last, without the blanks behind it.
    [[nodiscard]] Location since(uint32_t start) const {
        const auto end = static_cast<uint32_t>((at_ == skipped_to_ ? token_end_ : at_) - begin_);
        return {start, end > start ? end - start : 0};
    }
    [[nodiscard]] std::string_view text(Location where) const {
        return {begin_ + where.offset, where.length};
    }

    // Blanks, comments and joined lines; stops in front of a newline.
    void skip_blanks() {
        if (!is(peek(), plain))
            skip_slowly();
    }
    // Whether the statement ends here: a newline, the end of the text, or the `}` of a scope.
    [[nodiscard]] bool at_line_end() {
        skip_blanks();
        const char c = peek();
        return c == '\n' || c == '}' || (c == '\0' && at_end());
    }
    // Past blanks and newlines.
    void skip_lines();
    // After an error: to the end of the statement's line.
    void skip_rest();

    // Each of the following skips blanks first.
    [[nodiscard]] bool accept(char c) {
        skip_blanks();
        if (peek() != c || at_end())
            return false;
        ++at_;
        return true;
    }
    [[nodiscard]] bool accept(std::string_view spelling);
    // A run of letters, digits and underscores that starts with none of the digits; empty when there is none.
    [[nodiscard]] std::string_view name();
    // The same, or one that a `%` precedes, which stays part of it.
    [[nodiscard]] std::string_view name_or_builtin();
    // A label's name with `:` directly behind it, which is consumed too; empty when there is none.
    [[nodiscard]] std::string_view label_definition();
    // A label's name as an operand.
    [[nodiscard]] std::string_view label_use();
    // Whether a name of just this spelling stands here.
    [[nodiscard]] bool word_ahead(std::string_view word);
    // `word` is consumed only when a name of just this spelling stands here.
    [[nodiscard]] bool accept_word(std::string_view word);

    // Whether a number begins here: a digit, a sign, a parenthesis, `%sizeof` or `%DispatchSimd`.
    [[nodiscard]] bool starts_number();
    // Whether a variable's name begins here.
    [[nodiscard]] bool name_ahead() {
        skip_blanks();
        return is(peek(), name_start) || peek() == '"' || (peek() == '%' && is(peek(1), name_start));
    }
    // Whether a number without a type stands here.
    [[nodiscard]] bool bare_number();
    // A short decimal with the end of its expression right behind it, which most numbers are.
    [[nodiscard]] std::optional<int64_t> plain_number() {
        skip_blanks();
        constexpr size_t most_digits = 9;
        int64_t value = 0;
        size_t length = 0;
        for (; length < most_digits && is(peek(length), digit); ++length)
            value = value * 10 + (peek(length) - '0');
        const char next = peek(length);
        if (length == 0 || (next != ',' && next != ')' && next != ';' && next != '>' && next != ']'))
            return std::nullopt;
        at_ += length;
        return value;
    }
    // Decimal or hexadecimal; reports what is not there or does not fit 64 bits.
    [[nodiscard]] std::optional<Integer> integer(std::string_view what);
    // A quoted string, decoded. Lives as long as the lexer.
    [[nodiscard]] std::optional<std::string_view> string();
    // A view that lives as long as the lexer.
    [[nodiscard]] std::string_view keep(std::string text) { return kept_.emplace_back(std::move(text)); }

    // "expected WHAT, found ..." at the next token, with a hint behind it. Always false.
    bool expected(std::string_view what, std::string_view hint = "");
    // The same of the end of a line.
    bool expected_line_end(std::string_view hint = "");
    bool error(Location where, std::string rule, std::string message);
    [[nodiscard]] Diagnostics& diagnostics() { return diagnostics_; }
    // Whether a message says what may have been meant: that looks at every name, so that only the first ones
    // do.
    [[nodiscard]] bool gives_hints() const {
        return !diagnostics_.full() && diagnostics_.errors() < Diagnostics::default_max_errors;
    }
    // The next token, for messages and locations.
    [[nodiscard]] Location next_token();

private:
    void skip_slowly();
    void skip_gap();
    [[nodiscard]] bool skip_comment();
    [[nodiscard]] bool skip_join();
    [[nodiscard]] std::string_view take_run(const char* from, CharacterClass part);
    [[nodiscard]] bool escape(std::string& decoded);

    const char* begin_;
    const char* end_;
    const char* at_;
    const char* token_end_ = nullptr;      // where the last blanks began, and
    const char* skipped_to_ = nullptr;     // where they ended
    const char* no_join_before_ = nullptr; // newlines up to here are known to end their lines
    Diagnostics& diagnostics_;
    std::deque<std::string> kept_;
};

} // namespace visor::text
