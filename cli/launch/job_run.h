// A job from its file to what came of it, for the verb `run` and for the C API. Says on the console what the
// request asks for, and nothing else.
#pragma once

#include "cli/console/console.h"
#include "cli/launch/record.h"
#include "cli/launch/run_request.h"

#include <atomic>

namespace visor::cli {

// `job` holds what the record points to. `stop` ends the run early.
[[nodiscard]] RunRecord run_job(const RunRequest& request, Job& job, const Console& console,
                                const std::atomic<bool>& stop);

} // namespace visor::cli
