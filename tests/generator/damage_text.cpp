#include "damage.h"

#include "isa/table.h"
#include "isa/type.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace visor::generator {

namespace {

constexpr std::array words = std::to_array<std::string_view>({".version 4.1",
                                                              ".version 4.2",
                                                              ".kernel",
                                                              ".global_function",
                                                              ".function",
                                                              ".funcdecl",
                                                              ".decl",
                                                              ".input",
                                                              ".kernel_attr",
                                                              ".file",
                                                              ".loc",
                                                              ".implicit_LOCAL_ID",
                                                              ".implicit_UNDEFINED_31",
                                                              "v_type=G",
                                                              "v_type=P",
                                                              "type=df",
                                                              "num_elts=0",
                                                              "num_elts=65535",
                                                              "align=GRF",
                                                              "alias=<",
                                                              "attrs={",
                                                              "v_name=",
                                                              "offset=",
                                                              "size=",
                                                              "M1",
                                                              "M8_NM",
                                                              "NoMask",
                                                              ".sat",
                                                              ".any",
                                                              ".all",
                                                              ".unaligned",
                                                              ".aligned",
                                                              ".mod",
                                                              ".tgm",
                                                              ".RGBA",
                                                              "%null",
                                                              "%null.0",
                                                              "%sizeof",
                                                              "%DispatchSimd",
                                                              "%r0",
                                                              "GRF",
                                                              "flat",
                                                              "bti",
                                                              "surf",
                                                              "arg",
                                                              "(abs)",
                                                              "(-)",
                                                              "(~)",
                                                              "r[",
                                                              "&",
                                                              "FILE",
                                                              "LOC",
                                                              "<0;1,0>",
                                                              "<1>",
                                                              "<4,1>",
                                                              ":d",
                                                              ":hf",
                                                              ":vf",
                                                              ":bool",
                                                              "{",
                                                              "}",
                                                              "\\\n",
                                                              "/*",
                                                              "*/",
                                                              "//",
                                                              "\"",
                                                              "\\\"",
                                                              "\\x00",
                                                              ">>>",
                                                              "<<",
                                                              "==",
                                                              "?",
                                                              ":",
                                                              "!",
                                                              "~",
                                                              "0x",
                                                              "1e999:f",
                                                              "1.5:df",
                                                              "-1:ub",
                                                              "((((((((((((((((((((((((((((((((",
                                                              "a:\n",
                                                              "\n",
                                                              "\r\n",
                                                              "\t",
                                                              "+0x7fffffff",
                                                              "x16",
                                                              ".0",
                                                              ".65536"});
constexpr std::array numbers = std::to_array<std::string_view>({"0",
                                                                "1",
                                                                "2",
                                                                "3",
                                                                "4",
                                                                "5",
                                                                "7",
                                                                "8",
                                                                "16",
                                                                "31",
                                                                "32",
                                                                "33",
                                                                "63",
                                                                "64",
                                                                "127",
                                                                "128",
                                                                "255",
                                                                "256",
                                                                "32767",
                                                                "32768",
                                                                "65535",
                                                                "65536",
                                                                "2147483647",
                                                                "2147483648",
                                                                "4294967295",
                                                                "4294967296",
                                                                "9223372036854775807",
                                                                "9223372036854775808",
                                                                "18446744073709551615",
                                                                "18446744073709551616",
                                                                "0xffffffff",
                                                                "0xffffffffffffffff",
                                                                "0x10000000000000000",
                                                                "-1",
                                                                "-0",
                                                                "-128",
                                                                "-32769",
                                                                "-2147483649",
                                                                "-9223372036854775808",
                                                                "00",
                                                                "0x0",
                                                                "1e5"});
// Bytes that begin or end something.
constexpr std::string_view marks = "\"\\\n\0/*{}()<>[].,:;=%&|^!~?+-#\x7f\xff\x01 \t\r_$@";

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '%';
}

struct Span {
    size_t begin = 0;
    size_t size = 0;
};

// The token at a random place: a run of letters and digits, or one other byte.
Span token(Random& random, std::string_view text) {
    size_t begin = static_cast<size_t>(random.below(text.size()));
    size_t end = begin + 1;
    if (!is_word(text[begin]))
        return {begin, 1};
    while (begin > 0 && is_word(text[begin - 1]))
        --begin;
    while (end < text.size() && is_word(text[end]))
        ++end;
    return {begin, end - begin};
}

Span number(Random& random, std::string_view text) {
    constexpr unsigned attempts = 20;
    Span found = token(random, text);
    for (unsigned i = 0; i < attempts && std::isdigit(static_cast<unsigned char>(text[found.begin])) == 0;
         ++i)
        found = token(random, text);
    return found;
}

Span line(Random& random, std::string_view text) {
    const auto at = static_cast<size_t>(random.below(text.size()));
    const size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    const size_t begin = before == std::string_view::npos ? 0 : before + 1;
    const size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    return {begin, end - begin};
}

Span some_bytes(Random& random, std::string_view text) {
    constexpr uint64_t longest = 40;
    const auto begin = static_cast<size_t>(random.below(text.size()));
    return {begin, static_cast<size_t>(random.below(std::min<uint64_t>(longest, text.size() - begin) + 1))};
}

Span any_span(Random& random, std::string_view text) {
    switch (random.below(3)) {
    case 0:
        return token(random, text);
    case 1:
        return line(random, text);
    default:
        return some_bytes(random, text);
    }
}

std::string any_word(Random& random) {
    switch (random.below(4)) {
    case 0: {
        static const std::vector<std::string_view> mnemonics = isa::mnemonics();
        return std::string(random.pick(mnemonics));
    }
    case 1:
        return std::string(":").append(random.pick(isa::type_facts).name);
    default:
        return std::string(random.pick(words));
    }
}

void replace(std::string& text, Span span, std::string_view with) {
    text.replace(span.begin, span.size, with);
}

void damage_once(Random& random, std::string& text) {
    const auto at = static_cast<size_t>(random.below(text.size()));
    const auto copy = [&](Span span) { return text.substr(span.begin, span.size); };
    switch (random.below(12)) {
    case 0:
        text[at] = static_cast<char>(text[at] ^ static_cast<char>(1U << random.below(8)));
        break;
    case 1:
        text[at] = random.pick(marks);
        break;
    case 2:
        text.insert(at, 1, random.pick(marks));
        break;
    case 3:
        replace(text, any_span(random, text), "");
        break;
    case 4:
        text.insert(at, copy(any_span(random, text)));
        break;
    case 5: // one token in the place of another
        replace(text, token(random, text), copy(token(random, text)));
        break;
    case 6:
        replace(text, number(random, text), random.pick(numbers));
        break;
    case 7:
        replace(text, token(random, text), any_word(random));
        break;
    case 8: {
        const std::string moved = copy(line(random, text));
        text.insert(line(random, text).begin, moved);
        break;
    }
    case 9:
        text.insert(token(random, text).begin, any_word(random) + ' ');
        break;
    case 10:
        replace(text, number(random, text), copy(number(random, text)));
        break;
    default:
        if (random.one_in(4))
            text.resize(at);
        else
            replace(text, token(random, text), "");
        break;
    }
}

} // namespace

std::string damage_text(Random& random, std::string_view text) {
    std::string damaged(text);
    const uint64_t times = 1 + random.below(4);
    for (uint64_t i = 0; i < times && !damaged.empty(); ++i)
        damage_once(random, damaged);
    return damaged;
}

} // namespace visor::generator
