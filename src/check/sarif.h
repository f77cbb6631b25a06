// Findings as SARIF 2.1.0, the format in which code hosts and editors take them.
#pragma once

#include "check/report.h"

#include <span>
#include <string>
#include <string_view>

namespace visor::check {

// `version` is that of the tool.
[[nodiscard]] std::string sarif_of(std::span<const Reported> findings, std::string_view version);

} // namespace visor::check
