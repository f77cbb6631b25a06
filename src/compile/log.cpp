#include "compile/log.h"

#include <array>
#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>
#include <memory>

namespace visor::compile {

namespace {

std::string_view without_byte_order_mark(std::string_view source) {
    return source.starts_with("\xEF\xBB\xBF") ? source.substr(3) : source;
}

std::string line_without_blanks(std::string_view line) {
    const size_t first = line.find_first_not_of(" \t\r\n");
    const size_t last = line.find_last_not_of(" \t\r\n");
    return first == std::string_view::npos ? "" : std::string(line.substr(first, last - first + 1));
}

bool is_drivers_own(std::string_view line) {
    constexpr std::array<std::string_view, 3> beginnings{"Build failed with error code", "Build succeeded",
                                                         "Command was: "};
    for (const std::string_view beginning : beginnings) {
        if (line.starts_with(beginning))
            return true;
    }
    return false;
}

// What follows `prefix` on its line, "" when no line begins with it.
std::string rest_of_line(std::string_view log, std::string_view prefix) {
    size_t at = log.find(prefix);
    while (at != std::string_view::npos && at > 0 && log[at - 1] != '\n')
        at = log.find(prefix, at + 1);
    if (at == std::string_view::npos)
        return "";
    const std::string_view rest = log.substr(at + prefix.size());
    return line_without_blanks(rest.substr(0, rest.find('\n')));
}

} // namespace

std::string named_source(std::string_view name, std::string_view source) {
    std::string out = "#line 1 \"";
    for (const char c : name.empty() ? std::string_view("source.cl") : name) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            out += '\\';
        out += byte < 0x20 || byte == 0x7f ? '?' : c;
    }
    out += "\"\n";
    out += without_byte_order_mark(source);
    return out;
}

std::string clean_log(std::string_view log) {
    std::string out;
    while (!log.empty()) {
        const size_t end = log.find('\n');
        std::string_view line = log.substr(0, end);
        log = end == std::string_view::npos ? std::string_view() : log.substr(end + 1);
        while (!line.empty() && (line.back() == '\0' || line.back() == '\r'))
            line.remove_suffix(1);
        const bool leads = out.empty() && line.find_first_not_of(" \t") == std::string_view::npos;
        if (leads || is_drivers_own(line))
            continue;
        out += line;
        out += '\n';
    }
    while (out.ends_with("\n\n"))
        out.pop_back();
    return out;
}

Refusal explain(int code, std::string_view log, std::string_view source_name, std::string_view device) {
    constexpr int build_failure = -11;
    constexpr int out_of_host_memory = -6;
    if (const std::string option = rest_of_line(log, "Unrecognized build options: "); !option.empty())
        return {FailureKind::bad_option,
                fmt::format("the OpenCL compiler does not know the option `{}`", option)};
    if (log.contains("Cannot get HW Info for device") || log.contains("Could not determine device target"))
        return {FailureKind::bad_option,
                fmt::format("the OpenCL compiler does not know the device `{}`", device)};
    if (code == out_of_host_memory)
        return {FailureKind::compiler_missing,
                "the OpenCL compiler cannot start: its libraries (libigc and libigdfcl) do not load"};
    if (code == build_failure)
        return {FailureKind::build_error, fmt::format("`{}` does not build for {}", source_name, device)};
    if (code == 0)
        return {FailureKind::build_error,
                fmt::format("the OpenCL compiler made no binary of `{}`", source_name)};
    return {FailureKind::build_error,
            fmt::format("`{}` does not build for {} (the compiler's code {})", source_name, device, code)};
}

size_t kernel_count(std::string_view zebin) {
    constexpr std::string_view code_prefix = ".text.";
    constexpr std::string_view symbol_dummy = "Intel_Symbol_Table_Void_Program";
    if (elf_version(EV_CURRENT) == EV_NONE)
        return 0;
    std::string copy(zebin); // libelf takes writable memory
    const std::unique_ptr<Elf, int (*)(Elf*)> elf(elf_memory(copy.data(), copy.size()), elf_end);
    size_t names = 0;
    if (!elf || elf_getshdrstrndx(elf.get(), &names) != 0)
        return 0;
    size_t count = 0;
    Elf_Scn* section = nullptr;
    while ((section = elf_nextscn(elf.get(), section)) != nullptr) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == nullptr)
            continue;
        const char* name = elf_strptr(elf.get(), names, header.sh_name);
        const std::string_view text = name != nullptr ? name : "";
        count += text.starts_with(code_prefix) && text.substr(code_prefix.size()) != symbol_dummy ? 1 : 0;
    }
    return count;
}

} // namespace visor::compile
