#include "compile/options.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>

namespace visor::compile {

namespace {

bool is_blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

bool has_blank(std::string_view word) {
    return std::ranges::any_of(word, is_blank);
}

std::expected<std::vector<std::string>, std::string> split(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    bool in_word = false;
    char quote = '\0';
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool escapes = c == '\\' && quote != '\'' && i + 1 < text.size() &&
                             (quote == '\0' || text[i + 1] == '"' || text[i + 1] == '\\');
        if (escapes) {
            word += text[++i];
            in_word = true;
        } else if (quote != '\0') {
            if (c == quote)
                quote = '\0';
            else
                word += c;
        } else if (c == '"' || c == '\'') {
            quote = c;
            in_word = true;
        } else if (is_blank(c)) {
            if (in_word)
                words.push_back(std::move(word));
            word.clear();
            in_word = false;
        } else {
            word += c;
            in_word = true;
        }
    }
    if (quote != '\0')
        return std::unexpected(fmt::format("a {} in the compiler options is never closed", quote));
    if (in_word)
        words.push_back(std::move(word));
    return words;
}

bool names_a_file(std::string_view word) {
    constexpr std::array<std::string_view, 7> options{"-include",   "-imacros", "-isystem",   "-iquote",
                                                      "-idirafter", "-cmc",     "-vc-codegen"};
    return word.starts_with('@') ||
           std::ranges::any_of(options, [word](std::string_view option) { return word.starts_with(option); });
}

// The compiler takes a quoted part only behind something else: -DN="3 + 4".
std::expected<std::string, std::string> respell(const std::string& word) {
    if (word.contains('"') || word.contains('\0'))
        return std::unexpected(
            fmt::format("the OpenCL compiler cannot be given the option `{}`: it takes no double "
                        "quote inside an option",
                        word));
    if (!has_blank(word))
        return word;
    const size_t equals = word.find('=');
    if (equals == std::string::npos || has_blank(std::string_view(word).substr(0, equals)))
        return std::unexpected(fmt::format(
            "the OpenCL compiler cannot be given the option `{}`: white space can only follow a =", word));
    return fmt::format("{}=\"{}\"", word.substr(0, equals), word.substr(equals + 1));
}

// What follows -igc_opts is looked for in single quotes, and passed over silently without them.
std::expected<std::string, std::string> single_quoted(const std::string& word) {
    if (word.find_first_of(std::string_view("'\"\0", 3)) != std::string::npos)
        return std::unexpected(
            fmt::format("the OpenCL compiler cannot be given `-igc_opts {}`: it takes no quote there", word));
    return fmt::format("'{}'", word);
}

} // namespace

std::expected<Options, std::string> read_options(std::string_view text) {
    const std::expected<std::vector<std::string>, std::string> words = split(text);
    if (!words)
        return std::unexpected(words.error());
    Options options;
    for (size_t i = 0; i < words->size(); ++i) {
        const std::string& word = (*words)[i];
        if (word.starts_with("-I")) {
            const bool apart = word.size() == 2;
            if (apart && i + 1 == words->size())
                return std::unexpected("the compiler option -I lacks its folder");
            const std::string folder = apart ? (*words)[++i] : word.substr(2);
            std::error_code ignored;
            options.include_folders.push_back(std::filesystem::absolute(folder, ignored).string());
            continue;
        }
        if (word.starts_with("-cl-ext=")) {
            if (word.find_first_not_of(
                    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-=,") !=
                std::string::npos)
                return std::unexpected(fmt::format(
                    "`{}`: extensions are words of letters, digits and _ with + or - before", word));
            options.internal += (options.internal.empty() ? "" : " ") + word;
            continue;
        }
        options.reads_files = options.reads_files || names_a_file(word);
        const bool is_key = i > 0 && (*words)[i - 1] == "-igc_opts";
        const std::expected<std::string, std::string> respelled =
            is_key ? single_quoted(word) : respell(word);
        if (!respelled)
            return std::unexpected(respelled.error());
        if (!options.text.empty() && !respelled->empty())
            options.text += ' ';
        options.text += *respelled;
    }
    return options;
}

std::expected<std::string, std::string> include_option(std::string_view folder) {
    const bool tellable = std::ranges::none_of(
        folder, [](char c) { return c == '"' || c == '\0' || (is_blank(c) && c != ' '); });
    if (!tellable)
        return std::unexpected(fmt::format(
            "the OpenCL compiler cannot be given the include folder `{}`: its name has a quote or a line "
            "end",
            folder));
    return fmt::format("-I\"{}\"", folder);
}

} // namespace visor::compile
