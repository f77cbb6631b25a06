// A function from its vISA text.
#pragma once

#include "isa/device.h"
#include "program/program.h"

#include <expected>
#include <string>
#include <string_view>

namespace visor::jit {

// Error: the first diagnostic, or that the text is not one function. Thread-safe.
[[nodiscard]] std::expected<Program, std::string> program_of_text(std::string_view text,
                                                                  const isa::Device& device);

} // namespace visor::jit
