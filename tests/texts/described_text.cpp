#include "described_text.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>

namespace visor {

namespace {

struct Directive {
    std::string_view keyword;
    std::string_view rest;
};

// "// WORD rest" with a word in capitals at the beginning of a line.
std::optional<Directive> directive(std::string_view line) {
    constexpr std::string_view comment = "// ";
    if (!line.starts_with(comment))
        return std::nullopt;
    line.remove_prefix(comment.size());
    const std::string_view keyword = line.substr(0, line.find(' '));
    const bool capitals =
        keyword.size() > 3 && std::ranges::all_of(keyword, [](char c) { return c >= 'A' && c <= 'Z'; });
    if (!capitals)
        return std::nullopt;
    line.remove_prefix(std::min(line.size(), keyword.size() + 1));
    return Directive{keyword, line};
}

std::string_view take_word(std::string_view& rest) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    return word;
}

// "error rule: message" or without the severity.
void take_rule(std::string_view rest, Expected& expected) {
    const size_t colon = rest.find(": ");
    expected.rule = rest.substr(0, colon);
    if (colon != std::string_view::npos)
        expected.message = rest.substr(colon + 2);
}

Expected expectation(std::string_view rest) {
    Expected expected;
    if (rest.starts_with("spec ") || rest.starts_with("igc ")) {
        expected.igc = rest.starts_with("igc ");
        expected.spec = !expected.igc;
        take_word(rest);
    }
    expected.place = take_word(rest);
    expected.severity = take_word(rest);
    take_rule(rest, expected);
    return expected;
}

// "<NAME> = 00 ff * 5000"
void take_substitution(std::string_view rest, std::map<std::string, std::string>& substitutions) {
    const std::string name(take_word(rest));
    take_word(rest); // "="
    std::string bytes;
    while (!rest.empty() && !rest.starts_with('*')) {
        const std::string_view pair = take_word(rest);
        unsigned byte = 0;
        std::from_chars(pair.data(), pair.data() + pair.size(), byte, 16);
        bytes.push_back(static_cast<char>(static_cast<unsigned char>(byte)));
    }
    size_t times = 1;
    if (!rest.empty()) {
        take_word(rest);
        std::from_chars(rest.data(), rest.data() + rest.size(), times);
    }
    std::string& meaning = substitutions[name];
    for (; times > 0; --times)
        meaning += bytes;
}

void substitute(std::string& text, std::string_view name, std::string_view meaning) {
    for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + meaning.size()))
        text.replace(at, name.size(), meaning);
}

std::string place_of(std::optional<Location> where, std::string_view text) {
    if (!where)
        return "-";
    const auto [line, column] = line_column(text, where->offset);
    return fmt::format("{}:{}", line, column);
}

std::string_view name_of(Severity severity) {
    switch (severity) {
    case Severity::note:
        return "note";
    case Severity::warning:
        return "warning";
    case Severity::unsupported:
        return "unsupported";
    case Severity::error:
        break;
    }
    return "error";
}

std::string line_of(const Diagnostic& found, std::string_view text) {
    return fmt::format("{} {} {}: {}", place_of(found.where, text), name_of(found.severity), found.rule,
                       found.message);
}

std::string compare(const Diagnostic& found, const Expected& expected, std::string_view text) {
    std::string out;
    const std::string place = place_of(found.where, text);
    if (place != expected.place || name_of(found.severity) != expected.severity ||
        found.rule != expected.rule || !found.message.contains(expected.message) || expected.message.empty())
        out += fmt::format("expected {} {} {}: {}\nfound    {}\n", expected.place, expected.severity,
                           expected.rule, expected.message, line_of(found, text));
    const Location where = found.where.value_or(Location{});
    const std::string_view marked = text.substr(std::min<size_t>(where.offset, text.size()), where.length);
    if (!expected.marks.empty() && marked != expected.marks)
        out += fmt::format("{}: marks `{}`, not `{}`\n", place, marked, expected.marks);
    for (const ExpectedNote& note : expected.notes) {
        const bool there = std::ranges::any_of(found.notes, [&](const Note& one) {
            return place_of(one.where, text) == note.place && one.message.contains(note.message);
        });
        if (!there)
            out += fmt::format("{}: has no note {} {}\n", place, note.place, note.message);
    }
    return out;
}

void apply(const Directive& found, DescribedText& described,
           std::map<std::string, std::string>& substitutions) {
    const auto [keyword, rest] = found;
    Expected* last = described.expected.empty() ? nullptr : &described.expected.back();
    std::string_view words = rest;
    if (keyword == "DEVICE")
        described.device = rest;
    else if (keyword == "EXPECT")
        described.expected.push_back(expectation(rest));
    else if (keyword == "MARKS" && last != nullptr)
        last->marks = rest;
    else if (keyword == "NOTE" && last != nullptr)
        last->notes.push_back({std::string(take_word(words)), std::string(words)});
    else if (keyword == "ACCEPTED" && rest.starts_with("because "))
        described.accepted = rest;
    else if (keyword == "CONFORMANCE")
        described.conformance = rest;
    else if (keyword == "WITH")
        take_substitution(rest, substitutions);
    else if (keyword == "REFUSED")
        described.refused.push_back(expectation(rest));
    else
        described.mistakes.push_back(fmt::format("// {} {}", keyword, rest));
}

} // namespace

DescribedText read_described_text(const std::filesystem::path& file, Directives where) {
    std::ifstream stream(file, std::ios::binary);
    DescribedText described;
    described.name = file.stem().string();
    described.text.assign(std::istreambuf_iterator<char>(stream), {});
    const std::string whole = described.text;
    std::map<std::string, std::string> substitutions;
    bool behind = false;
    for (size_t begin = 0; begin < whole.size();) {
        const size_t newline = std::min(whole.find('\n', begin), whole.size());
        const std::string_view line = std::string_view(whole).substr(begin, newline - begin);
        const std::optional<Directive> found = directive(line);
        if (found && !behind && where == Directives::behind_the_text) {
            behind = true;
            described.text.resize(begin);
        }
        if (found)
            apply(*found, described, substitutions);
        else if (behind && !line.empty())
            described.mistakes.emplace_back(line);
        begin = newline + 1;
    }
    for (const auto& [name, meaning] : substitutions)
        substitute(described.text, name, meaning);
    return described;
}

std::vector<std::filesystem::path> texts_in(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".visaasm")
            files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
}

std::string shown(const Diagnostics& diagnostics, std::string_view text) {
    std::string out;
    for (const Diagnostic& one : diagnostics.all())
        out += line_of(one, text) + "\n";
    return out;
}

std::string differences(const Diagnostics& found, const std::vector<Expected>& expected,
                        std::string_view text) {
    std::string out;
    const size_t shared = std::min(found.all().size(), expected.size());
    for (size_t i = 0; i < shared; ++i)
        out += compare(found.all()[i], expected[i], text);
    for (size_t i = shared; i < found.all().size(); ++i)
        out += fmt::format("unexpected {}\n", line_of(found.all()[i], text));
    for (size_t i = shared; i < expected.size(); ++i)
        out += fmt::format("missing    {} {} {}: {}\n", expected[i].place, expected[i].severity,
                           expected[i].rule, expected[i].message);
    return out;
}

} // namespace visor
