#include "sample.h"

#include "text/text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>

namespace visor::test {

Bytes from_hex(std::string_view digits) {
    Bytes bytes;
    for (size_t at = 0; at < digits.size();) {
        if (digits[at] == ' ' || digits[at] == '\n') {
            ++at;
            continue;
        }
        unsigned value = 0;
        const auto [stop, status] = std::from_chars(digits.data() + at, digits.data() + at + 2, value, 16);
        EXPECT_TRUE(status == std::errc{} && stop == digits.data() + at + 2) << digits;
        bytes.push_back(static_cast<std::byte>(value));
        at += 2;
    }
    return bytes;
}

std::string to_hex(std::span<const std::byte> bytes) {
    std::string text;
    for (const std::byte byte : bytes)
        text += fmt::format("{}{:02x}", text.empty() ? "" : " ", std::to_integer<unsigned>(byte));
    return text;
}

namespace {

void put(Bytes& bytes, unsigned value, unsigned size) {
    for (unsigned i = 0; i < size; ++i)
        bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
}

} // namespace

ByteList& ByteList::u8(std::initializer_list<unsigned> values) {
    for (const unsigned value : values)
        put(bytes, value, 1);
    return *this;
}

ByteList& ByteList::u16(std::initializer_list<unsigned> values) {
    for (const unsigned value : values)
        put(bytes, value, 2);
    return *this;
}

ByteList& ByteList::u32(std::initializer_list<unsigned> values) {
    for (const unsigned value : values)
        put(bytes, value, 4);
    return *this;
}

ByteList& ByteList::text(std::string_view characters) {
    for (const char c : characters)
        bytes.push_back(static_cast<std::byte>(c));
    return *this;
}

ByteList& ByteList::strings(std::initializer_list<std::string_view> strings) {
    for (const std::string_view string : strings)
        text(string).u8({0});
    return *this;
}

ByteList& ByteList::append(const Bytes& more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
    return *this;
}

std::string messages(const Diagnostics& diagnostics) {
    std::string text;
    for (const Diagnostic& diagnostic : diagnostics.all())
        text += fmt::format("{} [{}] @{}: {}\n", static_cast<int>(diagnostic.severity), diagnostic.rule,
                            diagnostic.where ? fmt::format("0x{:x}", diagnostic.where->offset) : "-",
                            diagnostic.message);
    return text;
}

size_t count_rule(const Diagnostics& diagnostics, std::string_view rule) {
    return static_cast<size_t>(std::ranges::count(diagnostics.all(), rule, &Diagnostic::rule));
}

Module parsed(const std::string& text, uint32_t grf_bytes) {
    Diagnostics diagnostics;
    std::optional<Module> module = text::parse(text, {grf_bytes}, diagnostics);
    EXPECT_TRUE(module.has_value()) << text << messages(diagnostics);
    return module ? std::move(*module) : Module{};
}

Bytes written(const Module& module, uint32_t grf_bytes) {
    Diagnostics diagnostics;
    std::optional<Bytes> file = binary::write(module, {grf_bytes}, diagnostics);
    EXPECT_TRUE(file.has_value()) << messages(diagnostics);
    return file ? std::move(*file) : Bytes{};
}

Module reread(std::span<const std::byte> file, uint32_t grf_bytes) {
    Diagnostics diagnostics;
    std::optional<Module> module = binary::read(file, {grf_bytes}, diagnostics);
    EXPECT_TRUE(module.has_value()) << messages(diagnostics);
    return module ? std::move(*module) : Module{};
}

std::string kernel_text(std::string_view declarations, std::string_view code) {
    return fmt::format(".version 4.1\n.kernel \"k\"\n{}\n{}\n", declarations, code);
}

Bytes code_of(const Bytes& file) {
    const Module module = reread(file);
    if (module.functions.empty() || module.functions[0].code.empty())
        return {};
    return {file.begin() + static_cast<ptrdiff_t>(module.functions[0].code.front().where.offset), file.end()};
}

Module carried(Module module) {
    module.major = 4;
    module.minor = 1;
    module.modern_suffixes = false;
    for (Function& function : module.functions) {
        for (auto* variables : {&function.samplers, &function.surfaces}) {
            for (OtherVariable& variable : *variables)
                variable.v_name.clear();
        }
    }
    return module;
}

} // namespace visor::test
