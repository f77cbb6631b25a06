// A session for editors: the Debug Adapter Protocol (microsoft.github.io/debug-adapter-protocol). A thread of
// the protocol is a hardware thread of the work-group that runs.
#pragma once

#include "debug/session.h"

#include <cstdint>
#include <functional>
#include <memory>

namespace visor::debug::dap {

// Serves one client: the standard streams, or with a port the first client of it. What the process writes to
// standard output goes to standard error then. `start` begins the run, which ends when what it gives is
// destroyed; called once, when the client has said what it wants. False: the client could not be understood,
// which is said on standard error.
[[nodiscard]] bool serve(uint16_t port, const Settings& settings,
                         const std::function<std::shared_ptr<void>(Session&)>& start);

} // namespace visor::debug::dap
