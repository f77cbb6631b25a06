// From the words of the command line to a request. The only place that knows how options are spelled.
#pragma once

#include "cli/options/request.h"

#include <expected>
#include <string>
#include <vector>

namespace visor::cli {

// `arguments` without the program's name.
[[nodiscard]] std::expected<Request, Failure> parse_command_line(const std::vector<std::string>& arguments);

} // namespace visor::cli
