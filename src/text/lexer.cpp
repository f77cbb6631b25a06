#include "text/lexer.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace visor::text {

namespace {

constexpr std::array<uint8_t, 256> classify() {
    std::array<uint8_t, 256> classes{};
    for (unsigned c = 0; c < classes.size(); ++c) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        const bool decimal = c >= '0' && c <= '9';
        const bool odd = c == '$' || c == '@' || c == '?';
        const bool space = c == ' ' || c == '\t' || c == '\r';
        const bool hex = decimal || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
        const auto add = [&classes, c](bool member, CharacterClass wanted) {
            classes[c] = static_cast<uint8_t>(classes[c] | (member ? static_cast<unsigned>(wanted) : 0U));
        };
        add(letter, name_start);
        add(letter || decimal, name_part);
        add(decimal, digit);
        add(hex, hex_digit);
        add(letter || odd, label_start);
        add(letter || decimal || odd || c == '-', label_part);
        add(space, blank);
        add(!space && c != '/' && c != '\\' && c != '\n', plain);
    }
    return classes;
}

bool is_run(std::string_view text, CharacterClass start, CharacterClass part) {
    return !text.empty() && is(text.front(), start) &&
           std::ranges::all_of(text, [part](char c) { return is(c, part); });
}

std::string describe(std::string_view token) {
    if (token.empty())
        return "the end of the text";
    if (token == "\n")
        return "the end of the line";
    if (token.size() == 1 && (token[0] < ' ' || token[0] > '~'))
        return fmt::format("the byte 0x{:02x}", static_cast<unsigned char>(token[0]));
    constexpr size_t shown = 40;
    return token.size() <= shown ? fmt::format("`{}`", token)
                                 : fmt::format("`{}...`", token.substr(0, shown));
}

} // namespace

const std::array<uint8_t, 256> character_classes = classify();

bool is_name(std::string_view text) {
    return is_run(text, name_start, name_part);
}
bool is_label(std::string_view text) {
    return is_run(text, label_start, label_part);
}

bool Lexer::skip_comment() {
    if (peek(1) == '/') {
        at_ = std::find(at_, end_, '\n');
        return true;
    }
    if (peek(1) != '*')
        return false;
    const std::string_view rest(at_ + 2, static_cast<size_t>(end_ - at_ - 2));
    const size_t close = rest.find("*/");
    if (close == std::string_view::npos) {
        error({offset(), 2}, "unterminated-comment", "this comment has no `*/`");
        at_ = end_;
    } else {
        at_ += 2 + close + 2;
    }
    return true;
}

// A backslash that ends its line joins it with the next, also when it stands alone lines below what it
// continues.
bool Lexer::skip_join() {
    const char* p = at_;
    while (p != end_ && (*p == '\n' || is(*p, blank)))
        ++p;
    if (p != end_ && *p == '\\') {
        const char* q = p + 1;
        while (q != end_ && is(*q, blank))
            ++q;
        if (q != end_ && *q == '\n') {
            at_ = q + 1;
            return true;
        }
    }
    no_join_before_ = p;
    return false;
}

void Lexer::skip_slowly() {
    if (at_ != skipped_to_)
        token_end_ = at_;
    skip_gap();
    skipped_to_ = at_;
}

void Lexer::skip_gap() {
    for (;;) {
        const char c = peek();
        if (is(c, blank)) {
            ++at_;
        } else if (c == '/') {
            if (!skip_comment())
                return;
        } else if (c == '\\') {
            if (!skip_join())
                return;
        } else if (c == '\n') {
            if ((no_join_before_ != nullptr && at_ < no_join_before_) || !skip_join())
                return;
        } else {
            return;
        }
    }
}

void Lexer::skip_lines() {
    skip_blanks();
    while (peek() == '\n') {
        ++at_;
        skip_blanks();
    }
}

void Lexer::skip_rest() {
    unsigned braces = 0;
    for (; at_ != end_ && *at_ != '\n'; ++at_) {
        if (*at_ == '/' && (peek(1) == '/' || peek(1) == '*')) {
            static_cast<void>(skip_comment());
            if (at_end() || *at_ == '\n')
                return;
            --at_; // the loop steps over what follows the comment otherwise
        } else if (*at_ == '"') {
            // A brace inside a string closes no scope.
            for (++at_; at_ != end_ && *at_ != '"' && *at_ != '\n'; ++at_) {
                if (*at_ == '\\' && peek(1) != '\n' && at_ + 1 != end_)
                    ++at_;
            }
            if (at_ == end_ || *at_ == '\n')
                return;
        } else if (*at_ == '{') {
            ++braces;
        } else if (*at_ == '}' && braces-- == 0) {
            return;
        }
    }
}

bool Lexer::accept(std::string_view spelling) {
    skip_blanks();
    if (!std::string_view(at_, static_cast<size_t>(end_ - at_)).starts_with(spelling))
        return false;
    at_ += spelling.size();
    return true;
}

std::string_view Lexer::take_run(const char* from, CharacterClass part) {
    const char* p = from;
    while (p != end_ && is(*p, part))
        ++p;
    const std::string_view taken(at_, static_cast<size_t>(p - at_));
    if (taken.size() > max_name) {
        error({offset(), static_cast<uint32_t>(taken.size())}, "name-too-long",
              fmt::format("a name has at most {} characters", max_name));
    }
    at_ = p;
    return taken.substr(0, max_name);
}

std::string_view Lexer::name() {
    skip_blanks();
    return is(peek(), name_start) ? take_run(at_, name_part) : std::string_view{};
}

std::string_view Lexer::name_or_builtin() {
    skip_blanks();
    if (peek() == '%' && is(peek(1), name_start))
        return take_run(at_ + 1, name_part);
    return is(peek(), name_start) ? take_run(at_, name_part) : std::string_view{};
}

std::string_view Lexer::label_definition() {
    skip_blanks();
    if (!is(peek(), label_start))
        return {};
    const char* p = at_;
    while (p != end_ && is(*p, label_part))
        ++p;
    if (p == end_ || *p != ':')
        return {};
    const std::string_view found = take_run(at_, label_part);
    ++at_;
    return found;
}

std::string_view Lexer::label_use() {
    skip_blanks();
    return is(peek(), label_start) ? take_run(at_, label_part) : std::string_view{};
}

bool Lexer::word_ahead(std::string_view word) {
    skip_blanks();
    return std::string_view(at_, static_cast<size_t>(end_ - at_)).starts_with(word) &&
           !is(peek(word.size()), name_part);
}

bool Lexer::accept_word(std::string_view word) {
    if (!word_ahead(word))
        return false;
    at_ += word.size();
    return true;
}

bool Lexer::starts_number() {
    skip_blanks();
    const char c = peek();
    if (c != '%')
        return is(c, digit) || c == '-' || c == '~' || c == '!' || c == '(';
    const char* before = at_;
    const bool found = accept_word("%sizeof") || accept_word("%DispatchSimd");
    at_ = before;
    return found;
}

bool Lexer::bare_number() {
    skip_blanks();
    size_t length = 0;
    while (is(peek(length), name_part))
        ++length;
    return is(peek(), digit) && peek(length) != ':' && peek(length) != '.';
}

std::optional<Integer> Lexer::integer(std::string_view what) {
    skip_blanks();
    if (!is(peek(), digit)) {
        expected(what);
        return std::nullopt;
    }
    const uint32_t start = offset();
    Integer number;
    const bool prefixed = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
    number.hex = prefixed && is(peek(2), hex_digit);
    if (prefixed && !number.hex && !is(peek(2), name_part)) {
        error({start, 2}, "bad-number", fmt::format("`{}` has no digits behind it", text({start, 2})));
        return std::nullopt;
    }
    at_ += number.hex ? 2 : 0;
    const auto [stop, status] = std::from_chars(at_, end_, number.value, number.hex ? 16 : 10);
    at_ = stop;
    if (status != std::errc{}) {
        error(since(start), "number-too-large", "this number does not fit 64 bits");
        return std::nullopt;
    }
    return number;
}

bool Lexer::escape(std::string& decoded) {
    static constexpr std::string_view letters = "abefnrtv'\"?\\";
    static constexpr std::string_view meanings = "\a\b\x1b\f\n\r\t\v'\"?\\";
    const uint32_t start = offset();
    advance();
    const char c = peek();
    const bool hex = c == 'x' && is(peek(1), hex_digit);
    if (hex || (c >= '0' && c <= '7')) {
        at_ += hex ? 1 : 0;
        unsigned value = 0;
        const char* limit = at_ + std::min<ptrdiff_t>(hex ? 2 : 3, end_ - at_);
        at_ = std::from_chars(at_, limit, value, hex ? 16 : 8).ptr;
        if (value == 0 || value > 0xff)
            return error(since(start), "bad-escape", "this escape gives no byte between 1 and 255");
        decoded.push_back(static_cast<char>(static_cast<unsigned char>(value)));
        return true;
    }
    const size_t index = c == '\0' ? std::string_view::npos : letters.find(c);
    if (index == std::string_view::npos)
        return error({start, 2}, "bad-escape", "no such escape in a string");
    decoded.push_back(meanings[index]);
    advance();
    return true;
}

std::optional<std::string_view> Lexer::string() {
    const uint32_t start = offset();
    advance();
    const char* content = at_;
    const char* p = at_;
    while (p != end_ && *p != '"' && *p != '\n' && *p != '\\' && *p != '\0')
        ++p;
    std::string decoded(content, p);
    const bool verbatim = p != end_ && *p == '"';
    at_ = p;
    while (at_ != end_ && *at_ != '"' && *at_ != '\n') {
        if (*at_ == '\0') {
            error({offset(), 1}, "nul-byte", "a string cannot hold a NUL byte");
            return std::nullopt;
        }
        if (*at_ != '\\') {
            decoded.push_back(*at_);
            advance();
        } else if (!escape(decoded)) {
            return std::nullopt;
        }
    }
    if (peek() != '"' || at_end()) {
        error(since(start), "unterminated-string", "this string has no closing quote on its line");
        return std::nullopt;
    }
    advance();
    if (decoded.size() > max_name) {
        error(since(start), "name-too-long", fmt::format("a string has at most {} characters", max_name));
        return std::nullopt;
    }
    return verbatim ? std::string_view(content, static_cast<size_t>(p - content)) : keep(std::move(decoded));
}

Location Lexer::next_token() {
    skip_blanks();
    const char* p = at_;
    if ((peek() == '%' || peek() == '.') && is(peek(1), name_start))
        ++p;
    while (p != end_ && is(*p, name_part))
        ++p;
    if (p == at_ && p != end_)
        ++p;
    return {offset(), static_cast<uint32_t>(p - at_)};
}

bool Lexer::expected(std::string_view what, std::string_view hint) {
    const Location where = next_token();
    if (!at_end() && peek() == '\0')
        return error(where, "nul-byte", "a NUL byte stands in the text");
    const bool line_end = at_end() || peek() == '\n';
    return error(line_end ? Location{where.offset, 0} : where, "syntax",
                 fmt::format("expected {}, found {}{}", what, describe(text(where)), hint));
}

bool Lexer::expected_line_end(std::string_view hint) {
    skip_blanks();
    const bool bare_return = at_ == skipped_to_ && std::find(token_end_, at_, '\r') != at_;
    return expected("the end of the line", bare_return ? ": a carriage return alone ends no line" : hint);
}

bool Lexer::error(Location where, std::string rule, std::string message) {
    diagnostics_.error(where, std::move(rule), std::move(message));
    return false;
}

} // namespace visor::text
