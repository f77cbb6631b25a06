// A file as a job: a launch file says all of it, as the folder of a captured launch does, any other file only
// the program.
#pragma once

#include "cli/console/outcome.h"
#include "cli/launch/job.h"

#include <expected>
#include <string>

namespace visor::cli {

struct JobFile {
    Job job;
    bool complete = false; // a launch file, or a captured launch: it has its launches
};

// `device` "": the one that the file names, else the default. `compiler_options` go behind the file's own.
[[nodiscard]] std::expected<JobFile, Failure> read_job(const std::string& path, const std::string& device,
                                                       const std::string& compiler_options);

} // namespace visor::cli
