// What the checkers found, after the runs: schedules put together, suppressed entries taken out, the rest
// told.
#pragma once

#include "cli/console/console.h"
#include "cli/launch/record.h"
#include "cli/launch/run_request.h"

namespace visor::cli {

// Adds what another schedule of the same job found and did to the first one's record: findings that are new,
// and a finding of its own where results differ.
void merge_schedule(RunRecord& first, const RunRecord& other);

// Reads the suppression file, tells findings and stale entries, writes the SARIF file, and sets the record's
// exit code.
void settle_findings(RunRecord& record, const RunRequest& request, const Console& console);

} // namespace visor::cli
