// Identifies a file's kind: by its bytes if possible, else by its extension, so that a damaged zebin is still
// reported as one.
#include "vm/vm.h"

#include <algorithm>
#include <array>
#include <optional>

namespace visor::vm {

namespace {

struct Signature {
    std::string_view bytes;
    InputKind kind;
};
using namespace std::string_view_literals;
constexpr std::array<Signature, 4> signatures{{{"\x7f"
                                                "ELF"sv,
                                                InputKind::zebin},
                                               {"\x03\x02\x23\x07"sv, InputKind::spirv},
                                               {"\x07\x23\x02\x03"sv, InputKind::spirv},
                                               {"CISA"sv, InputKind::visa_binary}}};

struct Ending {
    std::string_view ending;
    InputKind kind;
};
constexpr std::array<Ending, 9> endings{{{".cl", InputKind::opencl_c},
                                         {".clcpp", InputKind::opencl_c},
                                         {".spv", InputKind::spirv},
                                         {".zebin", InputKind::zebin},
                                         {".bin", InputKind::zebin},
                                         {".visaasm", InputKind::visa_text},
                                         {".asm", InputKind::visa_text},
                                         {".isa", InputKind::visa_binary},
                                         {".json", InputKind::launch_file}}};

// Past blanks and comments of either style.
std::string_view first_words(std::string_view text) {
    while (true) {
        text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
        const bool line = text.starts_with("//");
        if (!line && !text.starts_with("/*"))
            return text;
        const size_t end = line ? text.find('\n') : text.find("*/", 2);
        if (end == std::string_view::npos)
            return {};
        text.remove_prefix(end + (line ? 1 : 2));
    }
}

std::optional<InputKind> kind_of_text(std::string_view content) {
    const std::string_view start = first_words(content);
    for (const std::string_view directive : {".version"sv, ".kernel"sv, ".global_function"sv})
        if (start.starts_with(directive))
            return InputKind::visa_text;
    if (start.starts_with('{'))
        return InputKind::launch_file;
    return std::nullopt;
}

} // namespace

InputKind identify(std::string_view content, std::string_view name) {
    for (const Signature& signature : signatures)
        if (content.starts_with(signature.bytes))
            return signature.kind;
    if (const auto kind = kind_of_text(content))
        return *kind;
    for (const Ending& ending : endings)
        if (name.ends_with(ending.ending))
            return ending.kind;
    // From a pipe, without an extension.
    if (content.find('\0') == std::string_view::npos && content.find("kernel") != std::string_view::npos)
        return InputKind::opencl_c;
    return InputKind::unknown;
}

} // namespace visor::vm
