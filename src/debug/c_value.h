// Values of C types as text: `{x = 5, y = 2.5}`, `{0, 1, 2 ...}`.
#pragma once

#include "debug/dwarf.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace visor::debug {

// How many bytes of a value of this type its text needs.
[[nodiscard]] uint64_t shown_bytes(const std::vector<SourceType>& types, uint32_t type);
// `bytes`: as many as shown_bytes() says, at least.
[[nodiscard]] std::string value_text(const std::vector<SourceType>& types, uint32_t type,
                                     std::span<const std::byte> bytes);

} // namespace visor::debug
