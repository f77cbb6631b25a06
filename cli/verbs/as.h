// `visor as`: vISA text in, a binary out; refuses what profile igc refuses.
#pragma once

#include "cli/options/request.h"

namespace visor::cli {

[[nodiscard]] ExitCode as(const AsRequest& request);

} // namespace visor::cli
