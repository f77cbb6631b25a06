// Damages inputs the way that editors, transports and attackers do: bytes, spans, tokens, lines, numbers. It
// does not know what would be valid.
#pragma once

#include "module/module.h"
#include "random.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace visor::generator {

// One to four damages.
[[nodiscard]] std::string damage_text(Random& random, std::string_view text);
[[nodiscard]] std::vector<std::byte> damage_bytes(Random& random, std::vector<std::byte> bytes);
// Names of variables and labels that text cannot tell apart, or that are predefined, missing or long; labels
// in another order, of other kinds, or that nothing names. The program stays the same.
void damage_names(Random& random, Module& module);

} // namespace visor::generator
