#include "compile/options.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <optional>

namespace visor::compile {

namespace {

constexpr std::string_view for_vectors = "-vc-codegen"; // the code generator of explicit SIMD

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

// The prefix of a word that is an option with a file or folder; "": another word.
std::string_view naming_option(std::string_view word) {
    constexpr std::array<std::string_view, 5> options{"-include", "-imacros", "-isystem", "-iquote",
                                                      "-idirafter"};
    const auto found =
        std::ranges::find_if(options, [word](std::string_view option) { return word.starts_with(option); });
    return found == options.end() ? std::string_view() : *found;
}

bool names_a_file(std::string_view word) {
    return word.starts_with('@') || word.starts_with("-cmc") || word.starts_with(for_vectors) ||
           !naming_option(word).empty();
}

// The folder or file that a macro stands for, for an #include that is made of macros, as hashcat's are
// (-D INCLUDE_PATH=/usr/share/hashcat/OpenCL); "": the definition has none. `definition`: NAME=VALUE.
std::string_view path_of_macro(std::string_view definition) {
    const size_t equals = definition.find('=');
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view() : definition.substr(equals + 1);
    return value.starts_with('/') ? value : std::string_view();
}

// The compiler accepts quotes only inside of a word: -DN="3 + 4".
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

// The value of -igc_opts needs single quotes; without them it is silently ignored.
std::expected<std::string, std::string> single_quoted(const std::string& word) {
    if (word.find_first_of(std::string_view("'\"\0", 3)) != std::string::npos)
        return std::unexpected(
            fmt::format("the OpenCL compiler cannot be given `-igc_opts {}`: it takes no quote there", word));
    return fmt::format("'{}'", word);
}

void append(std::string& options, std::string_view word) {
    if (!options.empty() && !word.empty())
        options += ' ';
    options += word;
}

constexpr std::string_view library = "-library-compilation";
constexpr std::string_view level_option = "-ze-opt-level";

// Options of the code generator that the OpenCL C or the explicit SIMD front end rejects. Both accept them as
// internal options, where Intel's driver passes them, too.
bool is_for_generator(std::string_view word) {
    constexpr std::array<std::string_view, 22> options{
        "-cl-intel-128-GRF-per-thread",
        "-cl-intel-256-GRF-per-thread",
        "-cl-intel-enable-auto-large-GRF-mode",
        "-cl-intel-greater-than-4GB-buffer-required",
        "-cl-intel-gtpin-rera",
        "-ze-intel-128-GRF-per-thread",
        "-ze-intel-256-GRF-per-thread",
        "-ze-intel-disable-a64WA",
        "-ze-intel-enable-auto-large-GRF-mode",
        "-ze-intel-force-enable-a64WA",
        "-ze-intel-force-global-mem-allocation",
        "-ze-intel-greater-than-4GB-buffer-required",
        "-ze-intel-gtpin-rera",
        "-ze-intel-has-buffer-offset-arg",
        "-ze-intel-no-local-to-generic",
        "-ze-intel-no-prera-scheduling",
        "-ze-intel-no-spill",
        "-ze-intel-use-32bit-ptr-arith",
        "-ze-opt-buffer-offset-arg-required",
        "-ze-opt-has-buffer-offset-arg",
        "-ze-opt-has-positive-pointer-offset",
        "-ze-opt-has-subDW-aligned-ptr-arg",
    };
    return std::ranges::find(options, word) != options.end();
}

bool counts_threads(std::string_view word) {
    return word == "-cl-intel-num-thread-per-eu" || word == "-ze-intel-num-thread-per-eu";
}

bool is_number(std::string_view word) {
    return !word.empty() && word.size() <= 3 &&
           std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

// Parses the options in order, and assigns each to its list.
class OptionReader {
public:
    OptionReader(std::vector<std::string> words, bool is_source)
        : words_(std::move(words)), is_source_(is_source),
          vectors_(std::ranges::find(words_, for_vectors) != words_.end()) {}

    std::expected<Options, std::string> read() {
        for (; next_ < words_.size(); ++next_) {
            if (auto problem = take(words_[next_]))
                return std::unexpected(std::move(*problem));
        }
        return std::move(options_);
    }

private:
    using Problem = std::optional<std::string>;

    Problem take(const std::string& word) {
        if (word.starts_with("-I"))
            return take_folder(word);
        if (word.starts_with("-cl-ext="))
            return take_extensions(word);
        if (word.starts_with(level_option))
            return take_level(word);
        if (counts_threads(word) && is_number(after()))
            return take_threads(word);
        if (vectors_ && word.starts_with("-ze-")) // rejected there, and without effect
            return {};
        if (word == "-ze-emit-zebin-visa-sections") // given anyway
            return {};
        if (is_for_generator(word) || (is_source_ && word == library)) {
            append(options_.internal, word);
            return {};
        }
        return take_other(word);
    }

    // The word after the current one.
    [[nodiscard]] std::string_view after() const {
        return next_ + 1 < words_.size() ? std::string_view(words_[next_ + 1]) : std::string_view();
    }

    Problem take_folder(const std::string& word) {
        const bool apart = word.size() == 2;
        if (apart && next_ + 1 == words_.size())
            return "the compiler option -I lacks its folder";
        const std::string folder = apart ? words_[++next_] : word.substr(2);
        std::error_code ignored;
        options_.include_folders.push_back(std::filesystem::absolute(folder, ignored).string());
        return {};
    }

    Problem take_extensions(const std::string& word) {
        if (word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-=,") !=
            std::string::npos)
            return fmt::format("`{}`: extensions are words of letters, digits and _ with + or - before",
                               word);
        append(options_.internal, word);
        return {};
    }

    // Level Zero's spelling: 0 disables optimization; the others are the default.
    Problem take_level(const std::string& word) {
        std::string_view level = std::string_view(word).substr(level_option.size());
        if (level.empty() && !after().empty())
            level = words_[++next_];
        else if (level.starts_with('='))
            level.remove_prefix(1);
        if (level.starts_with('O'))
            level.remove_prefix(1);
        if (level.size() != 1 || level[0] < '0' || level[0] > '3')
            return fmt::format("`{}`: the levels are 0, 1, 2 and 3", word);
        if (level == "0")
            append(options_.text, "-cl-opt-disable");
        return {};
    }

    Problem take_threads(const std::string& word) {
        const std::string& number = words_[++next_];
        if (!vectors_ || !word.starts_with("-ze-"))
            append(options_.internal, word + " " + number);
        return {};
    }

    Problem take_other(const std::string& word) {
        options_.reads_files = options_.reads_files || names_a_file(word);
        if (const std::string_view option = naming_option(word); !option.empty())
            options_.named.emplace_back(word.size() > option.size() ? word.substr(option.size())
                                                                    : std::string(after()));
        const std::string_view before = next_ > 0 ? std::string_view(words_[next_ - 1]) : std::string_view();
        const std::string_view definition = before == "-D"           ? std::string_view(word)
                                            : word.starts_with("-D") ? std::string_view(word).substr(2)
                                                                     : std::string_view();
        if (const std::string_view path = path_of_macro(definition); !path.empty())
            options_.named.emplace_back(path);
        const bool is_key = before == "-igc_opts";
        const std::expected<std::string, std::string> respelled =
            is_key ? single_quoted(word) : respell(word);
        if (!respelled)
            return respelled.error();
        append(options_.text, *respelled);
        return {};
    }

    std::vector<std::string> words_;
    size_t next_ = 0;
    bool is_source_;
    bool vectors_; // explicit SIMD
    Options options_;
};

} // namespace

std::expected<Options, std::string> read_options(std::string_view text, bool is_source) {
    std::expected<std::vector<std::string>, std::string> words = split(text);
    if (!words)
        return std::unexpected(words.error());
    return OptionReader(std::move(*words), is_source).read();
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
