// `visor run -- app`: a program of the user's with Visor as its only OpenCL platform. Visor changes nothing
// of it but its environment, and hears of its launches through a file.
#pragma once

#include "cli/options/request.h"

namespace visor::cli {

[[nodiscard]] ExitCode run_application(const ApplicationRequest& request);

} // namespace visor::cli
