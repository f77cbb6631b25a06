// Launch metadata in vISA text: leading comment lines `//! visor: ...` that make a text of the compiler's as
// complete as the zebin it came from, so that it can be edited and run. Comments to every other tool. Nothing
// in them is trusted. The vISA itself is the text stage's business.
#pragma once

#include "diagnostic/diagnostic.h"
#include "isa/device.h"
#include "launch/zebin.h"

#include <optional>
#include <string>
#include <string_view>

namespace visor::launch {

// What each line of it begins with.
inline constexpr std::string_view annotation_mark = "//! visor:";

// Whether a line is an annotation, at any position.
[[nodiscard]] bool is_annotated(std::string_view text);

// Parses the lines into a zebin whose kernels and functions have no text: that is the rest of the file, where
// `.kernel` names them. The device is always set. Errors are located in `text`.
[[nodiscard]] std::optional<Zebin> read_annotations(std::string_view text, Diagnostics& diagnostics);

// The lines, for the kernels that `zebin` holds.
[[nodiscard]] std::string annotations(const Zebin& zebin, isa::DeviceId device);

} // namespace visor::launch
