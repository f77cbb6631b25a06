#include "launch/annotation.h"

#include "launch/ze_info.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <iterator>

namespace visor::launch {

namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
constexpr uint64_t version = 1;
constexpr uint64_t max_section_bytes = uint64_t{1} << 32U; // as in a zebin
constexpr size_t bytes_a_line = 32;

constexpr std::string_view key_version = "version";
constexpr std::string_view key_device = "device";
constexpr std::string_view key_options = "options";
constexpr std::string_view key_kernels = "ze_info";
constexpr std::string_view key_section = "section";
constexpr std::string_view key_bytes = "bytes";
constexpr std::string_view key_symbol = "symbol";
constexpr std::string_view key_pointer = "pointer";
constexpr std::string_view key_unknown = "unknown";
constexpr std::array keys{key_version, key_device, key_options, key_kernels, key_section,
                          key_bytes,   key_symbol, key_pointer, key_unknown};

struct KindName {
    RelocationKind kind;
    std::string_view name;
};
constexpr std::array<KindName, 3> kind_names{{{RelocationKind::address64, "address64"},
                                              {RelocationKind::low32, "low32"},
                                              {RelocationKind::high32, "high32"}}};

std::string_view without_blanks(std::string_view text) {
    const size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
    return text.substr(begin);
}

// The line of `text` at `at`, without its end; advances `at` past it.
std::string_view take_line(std::string_view text, size_t& at) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    return line;
}

std::string_view take_word(std::string_view& rest) {
    rest = without_blanks(rest);
    const std::string_view word = rest.substr(0, std::min(rest.find_first_of(" \t"), rest.size()));
    rest = without_blanks(rest.substr(word.size()));
    return word;
}

int hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

class Reader {
public:
    Reader(std::string_view text, Diagnostics& diagnostics) : text_(text), diagnostics_(diagnostics) {}

    std::optional<Zebin> read() {
        const size_t before = diagnostics_.errors() + diagnostics_.unsupported_count();
        read_lines();
        check_whole();
        read_kernels();
        const bool good = diagnostics_.errors() + diagnostics_.unsupported_count() == before;
        return good ? std::optional(std::move(zebin_)) : std::nullopt;
    }

private:
    // ---- lines ----

    void read_lines() {
        bool leading = true;
        for (size_t at = 0; at < text_.size() && !stop_;) {
            if (at == 0 && text_.starts_with(byte_order_mark))
                at = byte_order_mark.size();
            const std::string_view line = without_blanks(take_line(text_, at));
            line_ = {static_cast<uint32_t>(line.data() - text_.data()), static_cast<uint32_t>(line.size())};
            if (line.starts_with(annotation_mark)) {
                if (leading)
                    read_line(line.substr(annotation_mark.size()));
                else
                    fail("launch metadata stands before the first line of the text");
            } else if (!line.empty() && !line.starts_with("//")) {
                leading = false;
            }
        }
    }

    void read_line(std::string_view rest) {
        const std::string_view key = take_word(rest);
        if (!version_read_ && key != key_version)
            return fail_for_good("the metadata begins with `//! visor: version 1`");
        if (key == key_version)
            return read_version(rest);
        if (key == key_device)
            return read_device(rest);
        if (key == key_options) {
            zebin_.build_options = rest;
            return;
        }
        if (key == key_unknown) { // entries of the file that Visor does not know
            zebin_.unknown.emplace_back(rest);
            return;
        }
        if (key == key_kernels)
            return read_kernel_line(key);
        if (key == key_section)
            return read_section(rest);
        if (key == key_bytes)
            return read_bytes(rest);
        if (key == key_symbol)
            return read_symbol(rest);
        if (key == key_pointer)
            return read_pointer(rest);
        fail(fmt::format("metadata knows no `{}`{}", key, did_you_mean(key, {keys.begin(), keys.end()})));
    }

    void read_version(std::string_view rest) {
        const auto number = take_number(rest, UINT32_MAX, "a version");
        if (!number)
            return;
        if (*number != version) {
            diagnostics_.unsupported(
                line_, "bad-metadata",
                fmt::format("metadata of version {}: this Visor knows version {}", *number, version));
            stop_ = true;
        }
        version_read_ = true;
    }

    void read_device(std::string_view rest) {
        const std::string_view name = take_word(rest);
        const isa::Device* device = isa::device_named(name);
        if (device == nullptr)
            return fail(fmt::format("`{}` is no device{}", name, did_you_mean(name, isa::device_names())));
        zebin_.device = device->id;
    }

    // The metadata's own lines keep their indentation, of which the first blank is ours.
    void read_kernel_line(std::string_view key) {
        const char* const begin = key.data() + key.size();
        std::string_view line(begin, static_cast<size_t>(line_end() - begin));
        if (!line.empty())
            line.remove_prefix(1);
        info_lines_.push_back(
            {static_cast<uint32_t>(info_.size()), static_cast<uint32_t>(line.data() - text_.data())});
        info_ += line;
        info_ += '\n';
    }

    // section NAME constant|variable BYTES
    void read_section(std::string_view rest) {
        DataSection section;
        section.name = take_word(rest);
        const std::string_view kind = take_word(rest);
        if (kind != "constant" && kind != "variable")
            return fail(fmt::format("a section is `constant` or `variable`, not `{}`", kind));
        section.constant = kind == "constant";
        const auto bytes = take_number(rest, max_section_bytes, "its size in bytes");
        if (!bytes)
            return;
        section.bytes = *bytes;
        zebin_.sections.push_back(std::move(section));
    }

    // bytes HEX: the next ones of the last section
    void read_bytes(std::string_view rest) {
        if (zebin_.sections.empty())
            return fail("`bytes` needs a `section` above it");
        DataSection& section = zebin_.sections.back();
        const std::string_view digits = take_word(rest);
        if (digits.size() % 2 != 0 || digits.size() / 2 > section.bytes - section.content.size())
            return fail(fmt::format("{} hexadecimal digits are not some of the {} bytes left of section `{}`",
                                    digits.size(), section.bytes - section.content.size(), section.name));
        for (size_t i = 0; i < digits.size(); i += 2) {
            const int high = hex_digit(digits[i]);
            const int low = hex_digit(digits[i + 1]);
            if (high < 0 || low < 0)
                return fail(fmt::format("`{}` is no byte in hexadecimal", digits.substr(i, 2)));
            section.content.push_back(static_cast<std::byte>(high * 16 + low));
        }
    }

    // symbol SECTION OFFSET NAME
    void read_symbol(std::string_view rest) {
        const auto section = take_section(rest);
        const auto offset = section ? take_number(rest, section_of(*section).bytes, "an offset") : section;
        if (!offset)
            return;
        if (rest.empty())
            return fail("the symbol's name is missing");
        zebin_.symbols.push_back({.name = std::string(rest),
                                  .section = static_cast<int>(*section),
                                  .offset = *offset,
                                  .defined = true});
    }

    // pointer SECTION OFFSET KIND SYMBOL
    void read_pointer(std::string_view rest) {
        const auto section = take_section(rest);
        if (!section)
            return;
        const auto offset = take_number(rest, max_section_bytes, "an offset");
        if (!offset)
            return;
        const std::string_view word = take_word(rest);
        const auto* const kind = std::ranges::find(kind_names, word, &KindName::name);
        if (kind == kind_names.end())
            return fail(fmt::format("a pointer is `address64`, `low32` or `high32`, not `{}`", word));
        if (rest.empty())
            return fail("the name of the symbol that is pointed to is missing");
        zebin_.relocations.push_back({*section, *offset, kind->kind, std::string(rest)});
        pointer_lines_.push_back(line_);
    }

    // ---- words ----

    std::optional<uint64_t> take_number(std::string_view& rest, uint64_t most, std::string_view what) {
        const std::string_view word = take_word(rest);
        uint64_t number = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
        if (word.empty() || error != std::errc() || end != word.data() + word.size()) {
            fail(fmt::format("expected {}, found `{}`", what, word));
            return std::nullopt;
        }
        if (number > most) {
            fail(fmt::format("expected {}, at most {}, found {}", what, most, number));
            return std::nullopt;
        }
        return number;
    }

    std::optional<uint64_t> take_section(std::string_view& rest) {
        if (zebin_.sections.empty()) {
            fail("there is no `section` above this");
            return std::nullopt;
        }
        return take_number(rest, zebin_.sections.size() - 1, "a section's number, counted from 0");
    }
    const DataSection& section_of(uint64_t index) const {
        return zebin_.sections[static_cast<size_t>(index)];
    }
    const char* line_end() const { return text_.data() + line_.offset + line_.length; }

    // ---- the whole ----

    // Checked at the end: later lines may extend the content that a pointer patches.
    void check_whole() {
        if (stop_)
            return;
        line_ = {0, 0};
        if (!zebin_.device)
            fail("the metadata names no device (`//! visor: device skl`)");
        for (size_t i = 0; i < zebin_.relocations.size(); ++i) {
            const Relocation& relocation = zebin_.relocations[i];
            const uint64_t bytes = relocation.kind == RelocationKind::address64 ? 8 : 4;
            const uint64_t section_bytes = zebin_.sections[relocation.section].content.size();
            line_ = pointer_lines_[i];
            if (bytes > section_bytes || relocation.offset > section_bytes - bytes)
                fail(fmt::format("offset {} has no room for a pointer of {} bytes: section `{}` has {} "
                                 "bytes of content",
                                 relocation.offset, bytes, zebin_.sections[relocation.section].name,
                                 section_bytes));
        }
    }

    void read_kernels() {
        if (stop_)
            return;
        line_ = {0, 0};
        if (info_.empty())
            return fail("the metadata describes no kernel (`//! visor: ze_info ...`)");
        Diagnostics found;
        std::optional<std::vector<Signature>> signatures = read_ze_info(info_, 0, found);
        for (const Diagnostic& problem : found.all()) {
            Diagnostic& diagnostic =
                diagnostics_.report(problem.severity, in_text(problem.where), problem.rule, problem.message);
            for (const Note& note : problem.notes)
                diagnostic.notes.push_back({in_text(note.where), note.message});
        }
        if (!signatures)
            return;
        for (Signature& signature : *signatures) {
            signature.unknown.insert(signature.unknown.end(), zebin_.unknown.begin(), zebin_.unknown.end());
            zebin_.kernels.push_back({std::move(signature), {}});
        }
        zebin_.metadata = std::move(info_);
    }

    // Maps a location in the joined metadata to the text.
    Location in_text(std::optional<Location> where) const {
        const uint32_t offset = where ? where->offset : 0;
        auto line = std::ranges::upper_bound(info_lines_, offset, {}, &InfoLine::in_info);
        if (line == info_lines_.begin())
            return {0, 0};
        --line;
        return within(line->in_text + uint64_t{offset - line->in_info}, 1, text_.size());
    }

    void fail(std::string message) { diagnostics_.error(line_, "bad-metadata", std::move(message)); }
    void fail_for_good(std::string message) {
        fail(std::move(message));
        stop_ = true;
    }

    struct InfoLine {
        uint32_t in_info;
        uint32_t in_text;
    };

    std::string_view text_;
    Diagnostics& diagnostics_;
    Zebin zebin_;
    Location line_; // the one being read
    bool version_read_ = false;
    bool stop_ = false; // stops at a fatal error
    std::string info_;
    std::vector<InfoLine> info_lines_;
    std::vector<Location> pointer_lines_; // by index in Zebin::relocations
};

// Replaces line ends, which only damaged files have.
void add_line(std::string& out, std::string_view key, std::string_view rest) {
    std::string line(rest);
    std::ranges::replace_if(line, [](char c) { return c >= 0 && c < ' ' && c != '\t'; }, '?');
    fmt::format_to(std::back_inserter(out), "{} {} {}\n", annotation_mark, key, line);
}

// Likewise blanks.
std::string printable(std::string name) {
    std::ranges::replace_if(name, [](char c) { return c >= 0 && c <= ' '; }, '?');
    return name;
}

// The options that change the language; a launch does not depend on others, such as include folders.
std::string language_options(std::string_view options) {
    std::string out;
    while (!options.empty()) {
        const std::string_view word = take_word(options);
        if (word.starts_with("-cl-"))
            out += fmt::format("{}{}", out.empty() ? "" : " ", word);
    }
    return out;
}

void add_section(std::string& out, const DataSection& section) {
    add_line(out, key_section,
             fmt::format("{} {} {}", printable(section.name), section.constant ? "constant" : "variable",
                         section.bytes));
    const std::span<const std::byte> content = section.content;
    for (size_t at = 0; at < content.size(); at += bytes_a_line) {
        std::string digits;
        for (const std::byte byte : content.subspan(at, std::min(bytes_a_line, content.size() - at)))
            fmt::format_to(std::back_inserter(digits), "{:02x}", std::to_integer<unsigned>(byte));
        add_line(out, key_bytes, digits);
    }
}

} // namespace

bool is_annotated(std::string_view text) {
    if (text.starts_with(byte_order_mark))
        text.remove_prefix(byte_order_mark.size());
    for (size_t at = 0; at < text.size();)
        if (without_blanks(take_line(text, at)).starts_with(annotation_mark))
            return true;
    return false;
}

std::optional<Zebin> read_annotations(std::string_view text, Diagnostics& diagnostics) {
    if (text.size() > UINT32_MAX) {
        diagnostics.error(std::nullopt, "bad-metadata", "the text has more than 4 GiB");
        return std::nullopt;
    }
    return Reader(text, diagnostics).read();
}

std::string annotations(const Zebin& zebin, isa::DeviceId device) {
    std::string out;
    add_line(out, key_version, fmt::format("{}", version));
    add_line(out, key_device, isa::device(device).name);
    if (const std::string options = language_options(zebin.build_options); !options.empty())
        add_line(out, key_options, options);
    for (const std::string& unknown : zebin.unknown)
        add_line(out, key_unknown, unknown);
    std::vector<std::string_view> names;
    for (const ZebinKernel& kernel : zebin.kernels)
        names.emplace_back(kernel.signature.name);
    const std::string info = compact_ze_info(zebin.metadata, names);
    for (size_t at = 0; at < info.size();)
        add_line(out, key_kernels, take_line(info, at));
    for (const DataSection& section : zebin.sections)
        add_section(out, section);
    for (const Symbol& symbol : zebin.symbols)
        if (symbol.defined && symbol.section >= 0)
            add_line(out, key_symbol,
                     fmt::format("{} {} {}", symbol.section, symbol.offset, printable(symbol.name)));
    for (const Relocation& relocation : zebin.relocations) {
        const auto* const kind = std::ranges::find(kind_names, relocation.kind, &KindName::kind);
        add_line(out, key_pointer,
                 fmt::format("{} {} {} {}", relocation.section, relocation.offset, kind->name,
                             printable(relocation.symbol)));
    }
    return out;
}

} // namespace visor::launch
