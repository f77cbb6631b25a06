// Bytes and modules for the binary stage's tests.
#pragma once

#include "binary/binary.h"
#include "diagnostic/diagnostic.h"
#include "module/module.h"

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace visor::test {

using Bytes = std::vector<std::byte>;

// "79 04 00": two digits a byte, blanks between them.
[[nodiscard]] Bytes from_hex(std::string_view digits);
[[nodiscard]] std::string to_hex(std::span<const std::byte> bytes);

// Little-endian pieces of a file, appended one after another.
struct ByteList {
    Bytes bytes;

    ByteList& u8(std::initializer_list<unsigned> values);
    ByteList& u16(std::initializer_list<unsigned> values);
    ByteList& u32(std::initializer_list<unsigned> values);
    ByteList& text(std::string_view characters);
    ByteList& strings(std::initializer_list<std::string_view> strings); // each with its NUL
    ByteList& append(const Bytes& more);
    [[nodiscard]] unsigned size() const { return static_cast<unsigned>(bytes.size()); }
};

// The messages of all diagnostics, a line each: "error [rule] @offset: message".
[[nodiscard]] std::string messages(const Diagnostics& diagnostics);
[[nodiscard]] size_t count_rule(const Diagnostics& diagnostics, std::string_view rule);

// Fails the test when the text does not parse.
[[nodiscard]] Module parsed(const std::string& text, uint32_t grf_bytes = 32);
// Fails the test when there is an error.
[[nodiscard]] Bytes written(const Module& module, uint32_t grf_bytes = 32);
[[nodiscard]] Module reread(std::span<const std::byte> file, uint32_t grf_bytes = 32);

// A kernel "k" with these declarations and instructions, one a line.
[[nodiscard]] std::string kernel_text(std::string_view declarations, std::string_view code);
// The instructions' bytes of a one-kernel file: what stands at its end.
[[nodiscard]] Bytes code_of(const Bytes& file);

// Without what a binary does not carry.
[[nodiscard]] Module carried(Module module);

} // namespace visor::test
