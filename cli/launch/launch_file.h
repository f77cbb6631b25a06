// A launch file (docs/launch-files.md): one JSON document with a program, arrays, launches and what must come
// out. Untrusted: every key and every size is checked, and all mistakes are told at once.
#pragma once

#include "cli/console/outcome.h"
#include "cli/launch/job.h"

#include <expected>
#include <string>
#include <string_view>

namespace visor::cli {

// `path` is the file's own: what it names stands relative to its folder. The program is read, the arrays are
// not.
[[nodiscard]] std::expected<Job, Failure> parse_launch_file(const std::string& path,
                                                            std::string_view content);

} // namespace visor::cli
