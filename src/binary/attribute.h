// What a binary does not say of an attribute's value: whether its bytes are a number or characters, and how
// many bytes the compiler takes for the number. Names that are not listed are still read and written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace visor::binary {

enum class AttributeValue : uint8_t { none, number, text };
[[nodiscard]] std::string_view describe(AttributeValue value); // "a number"

// An unlisted name has a number when its value has a number's size.
[[nodiscard]] AttributeValue attribute_value(std::string_view name, size_t value_bytes);

// 1, 2 or 4: the compiler's choice for this name, more when the number needs it. Readers extend the sign.
[[nodiscard]] size_t attribute_bytes(std::string_view name, int64_t number);

} // namespace visor::binary
