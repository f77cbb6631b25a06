// `visor diff`: two files in, and in what their kernels differ by meaning.
#pragma once

#include "cli/options/request.h"

namespace visor::cli {

[[nodiscard]] ExitCode diff(const DiffRequest& request);

} // namespace visor::cli
