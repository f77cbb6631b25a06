// One element of a register as a number in text.
#pragma once

#include "isa/type.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace visor::trace {

// The shortest text that reads back to the same value; `bytes` holds size_of(type) of them.
[[nodiscard]] std::string number_text(const std::byte* bytes, isa::Type type);
// The same for JSON, which has neither infinities nor NaN: those become strings.
[[nodiscard]] std::string json_number(const std::byte* bytes, isa::Type type);
// A JSON string, with its quotes. Bytes that are no ASCII become `?`.
[[nodiscard]] std::string json_string(std::string_view text);

} // namespace visor::trace
