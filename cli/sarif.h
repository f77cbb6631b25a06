// Findings as SARIF 2.1.0, the format that code hosts and editors show.
#pragma once

#include "cli/record.h"

#include <string>

namespace visor::cli {

// One run with all findings; places are those of the kernels' vISA text.
[[nodiscard]] std::string sarif_of(const RunRecord& record);

} // namespace visor::cli
