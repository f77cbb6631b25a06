// `visor info`: this build, the devices and limits; or a file's kernels and their signatures.
#pragma once

#include "cli/options/request.h"

namespace visor::cli {

[[nodiscard]] ExitCode info(const InfoRequest& request);

} // namespace visor::cli
