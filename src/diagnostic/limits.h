// How much of what is found is kept and shown.
#pragma once

#include "diagnostic/diagnostic.h"

#include <cstddef>

namespace visor {

// Warnings past this are counted, not kept, unless all errors are wanted (`max_errors` is SIZE_MAX): names
// stand once in a binary, and in each of the messages about it.
inline constexpr size_t most_warnings = 1000;

// Warnings that are not kept.
[[nodiscard]] size_t dropped_warnings(const Diagnostics& diagnostics);

// What a list of messages ends with: a line each on errors and warnings that are not shown, or "".
[[nodiscard]] std::string not_shown(const Diagnostics& diagnostics, std::string_view name);

} // namespace visor
