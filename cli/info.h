// `visor info`: this build, the devices and limits; or a file's kernels and their signatures.
#pragma once

#include "cli/request.h"

namespace visor::cli {

[[nodiscard]] ExitCode info(const InfoRequest& request);

// The table of devices, also what `--device help` prints.
[[nodiscard]] std::string device_table();

} // namespace visor::cli
