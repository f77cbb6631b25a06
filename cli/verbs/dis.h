// `visor dis`: whatever holds vISA in, its text out; the text assembles to the same bytes again.
#pragma once

#include "cli/options/request.h"

namespace visor::cli {

[[nodiscard]] ExitCode dis(const DisRequest& request);

} // namespace visor::cli
