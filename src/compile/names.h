// Guesses a program's kernel names without compiling it, for messages only.
#pragma once

#include "compile/compile.h"

#include <string>
#include <string_view>
#include <vector>

namespace visor::compile {

// In their order, no more than a message can name.
[[nodiscard]] std::vector<std::string> kernel_names(const Request& request);
[[nodiscard]] std::vector<std::string> kernel_names_in_source(std::string_view source);
[[nodiscard]] std::vector<std::string> kernel_names_in_module(std::string_view module);

// "`k.cl` (kernels a, b)".
[[nodiscard]] std::string described(const Request& request);

} // namespace visor::compile
