// `visor debug`: a run that is stopped, looked into, and taken back.
#pragma once

#include "cli/options/request.h"

namespace visor::cli {

[[nodiscard]] ExitCode debug(const DebugRequest& request);

} // namespace visor::cli
