// Base64 (RFC 4648, section 4), in which the protocol carries memory.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace visor::debug::dap {

[[nodiscard]] std::string to_base64(std::span<const std::byte> bytes);
// Nothing: it is none.
[[nodiscard]] std::optional<std::vector<std::byte>> from_base64(std::string_view text);

} // namespace visor::debug::dap
