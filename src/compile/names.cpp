#include "compile/names.h"

#include "compile/spirv_words.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace visor::compile {

namespace {

constexpr size_t most_names = 8;
constexpr size_t longest_name = 80;

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

void add(std::vector<std::string>& names, std::string_view name) {
    if (names.size() < most_names && std::ranges::all_of(name, is_word) && !name.empty())
        names.emplace_back(name.substr(0, longest_name));
}

// Tokens of a program, without comments and literals.
class Tokens {
public:
    explicit Tokens(std::string_view text) : rest_(text) {}

    // "" at the end.
    std::string_view next() {
        while (skip_one()) {
        }
        if (rest_.empty())
            return {};
        const auto* const end = std::ranges::find_if_not(rest_, is_word);
        const auto bytes = static_cast<size_t>(end - rest_.begin());
        return take(std::max<size_t>(bytes, 1));
    }

private:
    std::string_view take(size_t bytes) {
        const std::string_view out = rest_.substr(0, bytes);
        rest_.remove_prefix(out.size());
        return out;
    }

    // Up to and with `mark`, or the rest.
    bool skip_to(std::string_view mark, size_t from) {
        const size_t at = rest_.find(mark, from);
        take(at == std::string_view::npos ? rest_.size() : at + mark.size());
        return true;
    }

    bool skip_literal(char quote) {
        size_t at = 1;
        while (at < rest_.size() && rest_[at] != quote && rest_[at] != '\n')
            at += rest_[at] == '\\' ? 2 : 1;
        take(at + 1);
        return true;
    }

    bool skip_one() {
        if (rest_.empty())
            return false;
        const char c = rest_.front();
        if (c == ' ' || (c >= '\t' && c <= '\r') || c == '\\') {
            take(1);
            return true;
        }
        if (rest_.starts_with("//"))
            return skip_to("\n", 2);
        if (rest_.starts_with("/*"))
            return skip_to("*/", 2);
        return (c == '"' || c == '\'') && skip_literal(c);
    }

    std::string_view rest_;
};

// The literal string that begins at a word, in words up to `end`.
std::string string_at(const spirv::Words& words, size_t at, size_t end) {
    std::string out;
    for (; at < end && out.size() <= longest_name; ++at) {
        for (uint32_t word = words.at(at), i = 0; i < 4; ++i, word >>= 8U) {
            if ((word & 0xffU) == 0)
                return out;
            out += static_cast<char>(word & 0xffU);
        }
    }
    return out;
}

} // namespace

// The last word before the parenthesis that opens the parameters; attributes have parentheses of their own.
std::vector<std::string> kernel_names_in_source(std::string_view source) {
    std::vector<std::string> names;
    Tokens tokens(source);
    bool in_head = false; // between `kernel` and its parameters
    bool in_attribute = false;
    size_t depth = 0; // of an attribute's parentheses
    std::string_view last;
    for (std::string_view token = tokens.next(); !token.empty(); token = tokens.next()) {
        if (token == "kernel" || token == "__kernel") {
            in_head = true;
            in_attribute = false;
            last = {};
        } else if (!in_head) {
            continue;
        } else if (in_attribute) {
            if (token == "(")
                ++depth;
            else if (token == ")" && depth > 0)
                --depth;
            in_attribute = depth > 0;
        } else if (token == "__attribute__") {
            in_attribute = true;
            depth = 0;
        } else if (token == "(") {
            add(names, last);
            in_head = false;
        } else {
            in_head = is_word(token.front());
            last = token;
        }
        if (names.size() == most_names)
            break;
    }
    return names;
}

std::vector<std::string> kernel_names_in_module(std::string_view module) {
    constexpr uint32_t op_entry_point = 15;
    constexpr uint32_t model_kernel = 6;
    std::vector<std::string> names;
    if (!spirv::is_module(module))
        return names;
    const spirv::Words words(module);
    words.each([&](size_t at, uint32_t opcode, uint32_t length) {
        if (opcode == op_entry_point && length > 3 && words.at(at + 1) == model_kernel)
            add(names, string_at(words, at + 3, at + length));
    });
    return names;
}

std::vector<std::string> kernel_names(const Request& request) {
    switch (request.language) {
    case Language::opencl_c:
        return kernel_names_in_source(request.source);
    case Language::spirv:
        return kernel_names_in_module(request.source);
    case Language::modules:
        break;
    }
    std::vector<std::string> names;
    for (const std::string& module : request.modules) {
        for (const std::string& name : kernel_names_in_module(module))
            add(names, name);
    }
    return names;
}

std::string described(const Request& request) {
    const std::vector<std::string> names = kernel_names(request);
    if (names.empty())
        return fmt::format("`{}`", request.name);
    return fmt::format("`{}` (kernel{} {}{})", request.name, names.size() == 1 ? "" : "s",
                       fmt::join(names, ", "), names.size() == most_names ? ", ..." : "");
}

} // namespace visor::compile
