// The folder of a captured launch as a job (docs/capture.md): memory before the launch as its arguments,
// memory after it as what is expected. Untrusted, as a launch file is.
#pragma once

#include "cli/console/outcome.h"
#include "cli/launch/job.h"

#include <expected>
#include <string>

namespace visor::cli {

// Visor's own have a launch file, which says all; folders of the Intercept Layer for OpenCL Applications have
// the source, or a binary with vISA or SPIR-V. The device is what the launch file names, or "".
[[nodiscard]] std::expected<Job, Failure> read_captured_launch(const std::string& folder);

} // namespace visor::cli
