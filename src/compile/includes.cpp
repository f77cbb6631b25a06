#include "compile/includes.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <vector>

namespace visor::compile {

namespace {

constexpr size_t max_files = 1000;
constexpr size_t max_bytes = size_t{64} << 20U;

struct Include {
    std::string name;
    bool quoted = false; // "x.h": the including file's folder comes first
};

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_word_at(std::string_view text, size_t at, size_t length) {
    return (at == 0 || !is_word(text[at - 1])) && (at + length >= text.size() || !is_word(text[at + length]));
}

std::string without_line_splices(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == '\n')
            ++i;
        else if (text[i] == '\\' && text.substr(i + 1).starts_with("\r\n"))
            i += 2;
        else
            out += text[i];
    }
    return out;
}

// Macros that differ between compilations of the same bytes, or between folders.
bool depends_on_more(std::string_view text) {
    constexpr std::array<std::string_view, 5> words{"__DATE__", "__TIME__", "__TIMESTAMP__", "__has_include",
                                                    "include_next"};
    return std::ranges::any_of(words, [text](std::string_view word) { return text.contains(word); });
}

std::string_view skip_blanks(std::string_view text) {
    const size_t at = text.find_first_not_of(" \t");
    return at == std::string_view::npos ? std::string_view() : text.substr(at);
}

// `rest` follows the word `include` of a directive.
std::optional<Include> named_in(std::string_view rest) {
    rest = skip_blanks(rest);
    if (rest.empty() || (rest[0] != '"' && rest[0] != '<'))
        return std::nullopt;
    const bool quoted = rest[0] == '"';
    const size_t end = rest.substr(1).find_first_of(quoted ? "\"\n" : ">\n");
    if (end == std::string_view::npos || rest[end + 1] == '\n' || end == 0)
        return std::nullopt;
    return Include{std::string(rest.substr(1, end)), quoted};
}

// All #include lines of a text; nullopt when one of them is ambiguous.
std::optional<std::vector<Include>> includes_of(std::string_view raw) {
    const std::string text = without_line_splices(raw);
    if (depends_on_more(text))
        return std::nullopt;
    std::vector<Include> found;
    for (const std::string_view word : {std::string_view("include"), std::string_view("import")}) {
        for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + word.size())) {
            if (!is_word_at(text, at, word.size()))
                continue;
            const size_t line = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
            const size_t begin = line == std::string::npos ? 0 : line + 1;
            const std::string_view before = skip_blanks(std::string_view(text).substr(begin, at - begin));
            const bool plain = before.starts_with('#') && skip_blanks(before.substr(1)).empty();
            // A directive can hide behind a comment, or be spelled with a digraph or trigraph.
            const bool suspicious = before.contains('#') || before.contains("%:") ||
                                    before.contains("?\?=") || before.contains("*/");
            if (!plain && !suspicious)
                continue;
            std::optional<Include> include;
            if (plain && word == "include")
                include = named_in(std::string_view(text).substr(at + word.size()));
            if (!include)
                return std::nullopt;
            found.push_back(std::move(*include));
        }
    }
    return found;
}

std::optional<std::string> find_file(const Include& include, const std::string& here,
                                     std::span<const std::string> folders) {
    const auto usable = [](const std::filesystem::path& path) {
        std::error_code missing;
        return std::filesystem::is_regular_file(path, missing);
    };
    if (include.quoted || include.name.starts_with('/')) {
        const std::filesystem::path path = std::filesystem::path(here) / include.name;
        if (usable(path))
            return path.string();
    }
    for (const std::string& folder : folders) {
        const std::filesystem::path path = std::filesystem::path(folder) / include.name;
        if (usable(path))
            return path.string();
    }
    return std::nullopt;
}

std::optional<std::string> content_of(const std::string& path, size_t bytes_left) {
    std::error_code missing;
    const uintmax_t bytes = std::filesystem::file_size(path, missing);
    if (missing || bytes > bytes_left)
        return std::nullopt;
    // Special files, as in /proc, have size 0 and may be endless.
    std::ifstream file(path, std::ios::binary);
    std::string content(bytes + 1, '\0');
    file.read(content.data(), static_cast<std::streamsize>(content.size()));
    content.resize(static_cast<size_t>(file.gcount()));
    return file.bad() || !file.is_open() || content.size() != bytes ? std::nullopt
                                                                    : std::optional(std::move(content));
}

} // namespace

std::optional<std::string> included_files(std::string_view source, const std::string& source_folder,
                                          std::span<const std::string> folders) {
    struct Pending {
        std::string folder;
        std::vector<Include> includes;
    };
    std::optional<std::vector<Include>> includes = includes_of(source);
    if (!includes)
        return std::nullopt;
    std::vector<Pending> pending{{source_folder, std::move(*includes)}};
    std::set<std::string> seen;
    std::string out;
    while (!pending.empty()) {
        const Pending next = std::move(pending.back());
        pending.pop_back();
        for (const Include& include : next.includes) {
            const std::optional<std::string> path = find_file(include, next.folder, folders);
            if (!path)
                return std::nullopt;
            if (!seen.insert(*path).second)
                continue;
            const std::optional<std::string> content =
                seen.size() > max_files ? std::nullopt : content_of(*path, max_bytes - out.size());
            includes = content ? includes_of(*content) : std::nullopt;
            if (!includes)
                return std::nullopt;
            out += *path + '\0' + std::to_string(content->size()) + '\0' + *content;
            if (out.size() > max_bytes)
                return std::nullopt;
            pending.push_back({std::filesystem::path(*path).parent_path().string(), std::move(*includes)});
        }
    }
    return out;
}

} // namespace visor::compile
