// The element types of arrays and numbers as the command line spells them, and one number's way from text to
// bytes and back. Knows nothing of kernels or files.
#pragma once

#include "isa/type.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace visor::cli {

enum class Element : uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64 };
inline constexpr size_t element_count = 12;

struct ElementFacts {
    const char* name;
    uint8_t bytes;
    bool is_float;
    bool is_signed;
    isa::Type type;
};
inline constexpr std::array<ElementFacts, element_count> element_facts{{
    {"i8", 1, false, true, isa::Type::b},
    {"u8", 1, false, false, isa::Type::ub},
    {"i16", 2, false, true, isa::Type::w},
    {"u16", 2, false, false, isa::Type::uw},
    {"i32", 4, false, true, isa::Type::d},
    {"u32", 4, false, false, isa::Type::ud},
    {"i64", 8, false, true, isa::Type::q},
    {"u64", 8, false, false, isa::Type::uq},
    {"f16", 2, true, true, isa::Type::hf},
    {"bf16", 2, true, true, isa::Type::bf},
    {"f32", 4, true, true, isa::Type::f},
    {"f64", 8, true, true, isa::Type::df},
}};
[[nodiscard]] constexpr const ElementFacts& facts(Element element) {
    return element_facts[static_cast<size_t>(element)];
}
[[nodiscard]] constexpr uint8_t size_of(Element element) {
    return facts(element).bytes;
}
[[nodiscard]] constexpr const char* name_of(Element element) {
    return facts(element).name;
}

[[nodiscard]] std::optional<Element> element_named(std::string_view name);
[[nodiscard]] std::vector<std::string_view> element_names();
// "`f33` is no element type (did you mean ...)"
[[nodiscard]] std::string unknown_element(std::string_view name);
// The element type that holds values of this vISA type; nullopt for packed and 8-bit float types.
[[nodiscard]] std::optional<Element> element_of(isa::Type type);
// Same size and same kind of number; signed and unsigned integers of one size are alike.
[[nodiscard]] bool alike(Element a, Element b);

// The number's bits, zero-extended. Integers: decimal, 0x, 0b; a hexadecimal or binary one may also spell the
// bit pattern of a negative number. Floats: decimal, 0x1.8p3, inf, nan. Error: why the text is no such
// number, as a sentence part.
[[nodiscard]] std::expected<uint64_t, std::string> parse_number(std::string_view text, Element element);
[[nodiscard]] std::expected<uint64_t, std::string> parse_unsigned(std::string_view text);

// The number at `bytes` (size_of(element) of them), the shortest text that reads back to the same value.
[[nodiscard]] std::string number_text(const std::byte* bytes, Element element);

[[nodiscard]] uint16_t bf16_from(double value);

} // namespace visor::cli
