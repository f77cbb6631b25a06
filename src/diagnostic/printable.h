// Text that a terminal does not obey: what comes out of a kernel or a file may hold control characters, with
// which it could move the cursor, retitle the window or hide what stands above it.
#pragma once

#include <string>
#include <string_view>

namespace visor {

// Control characters but tabs and line ends as `\x1b`, and so are bytes that are no UTF-8 and the control
// characters of Unicode (U+0080 to U+009F); all else as it is.
[[nodiscard]] std::string printable(std::string_view text);

// Whether it is UTF-8 throughout, as the Unicode standard has it.
[[nodiscard]] bool is_utf8(std::string_view text);

} // namespace visor
