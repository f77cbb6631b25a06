// `visor check`: every message about every file, then one line of summary.
#pragma once

#include "cli/options/request.h"

namespace visor::cli {

[[nodiscard]] ExitCode check(const CheckRequest& request);

} // namespace visor::cli
