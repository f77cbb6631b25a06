// `visor reduce`: a vISA text in, a smaller one out for which a command still ends with exit code 0.
#pragma once

#include "cli/options/request.h"

namespace visor::cli {

[[nodiscard]] ExitCode reduce(const ReduceRequest& request);

} // namespace visor::cli
