// `visor cc`: OpenCL C or SPIR-V through the real compiler, to a file.
#pragma once

#include "cli/options/request.h"

namespace visor::cli {

[[nodiscard]] ExitCode cc(const CcRequest& request);

} // namespace visor::cli
