// `visor run`: a file, a kernel, arguments, results.
#pragma once

#include "cli/options/request.h"

#include <atomic>

namespace visor::cli {

// Setting `stop` ends the run early, with what ran so far reported.
[[nodiscard]] ExitCode run(const RunRequest& request, const std::atomic<bool>& stop);

} // namespace visor::cli
