// `visor debug`: a run that is stopped, looked into, and taken back.
#pragma once

#include "cli/options/request.h"
#include "debug/client.h"

#include <expected>
#include <string>

namespace visor::cli {

// The client that was asked for; of a port, the first one that comes. Error: a sentence.
[[nodiscard]] std::expected<visor::debug::Channel, std::string> open_channel(const DebuggerChoice& choice);

[[nodiscard]] ExitCode debug(const DebugRequest& request);

} // namespace visor::cli
