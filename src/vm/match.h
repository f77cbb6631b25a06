// Matches given values with a kernel's parameters, for the command line and the C API. Knows nothing of the
// values but their names in messages.
#pragma once

#include "vm/vm.h"

#include <cstddef>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace visor::vm {

// "saxpy(float* y, float* x, float a, int n)"
[[nodiscard]] std::string signature_text(const KernelFacts& kernel);
// "argument 2 `a` (float)"
[[nodiscard]] std::string parameter_text(size_t index, const Parameter& parameter);
// Index of the parameter of this name, or of this number.
[[nodiscard]] std::expected<size_t, std::string> find_parameter(const KernelFacts& kernel,
                                                                std::string_view target);

struct Given {
    std::string_view target; // a parameter's name or number; "": the next one in order
    std::string_view text;   // for messages
};
// By parameter: the index in `given`. Positional values fill, in order, the parameters that are not named.
// Every parameter gets exactly one value, else the error lists those without; optional ones need to be named.
[[nodiscard]] std::expected<std::vector<std::optional<size_t>>, std::string>
match(const KernelFacts& kernel, std::span<const Given> given);

} // namespace visor::vm
