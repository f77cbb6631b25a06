// Which VALUE goes to which parameter of a kernel, and what a number becomes there. Pure: touches neither
// files nor device memory.
#pragma once

#include "cli/console/outcome.h"
#include "cli/value/value.h"
#include "vm/match.h"

#include <cstddef>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace visor::cli {

using vm::find_parameter;
using vm::parameter_text;
using vm::signature_text;

// By parameter. What names no parameter goes, in order, to the parameters that nothing names. Every parameter
// gets exactly one VALUE, or the failure says which does not; optional ones that nothing names stay null.
[[nodiscard]] std::expected<std::vector<const ArgumentText*>, Failure>
match_arguments(const vm::KernelFacts& kernel, std::span<const ArgumentText> arguments);

// The bytes of a by-value OpenCL argument: as many numbers as it has elements, of its type. Error: a sentence
// part.
[[nodiscard]] std::expected<std::vector<std::byte>, std::string> value_bytes(const vm::Parameter& parameter,
                                                                             const Numbers& numbers);
// The bytes of a hand-written kernel's variable: missing elements are zero, as in a C initialiser.
[[nodiscard]] std::expected<std::vector<std::byte>, std::string>
variable_bytes(const vm::Parameter& parameter, const Numbers& numbers);

} // namespace visor::cli
