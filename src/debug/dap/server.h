// A session for editors: the Debug Adapter Protocol (microsoft.github.io/debug-adapter-protocol). A thread of
// the protocol is a hardware thread of the work-group that runs.
#pragma once

#include "debug/client.h"
#include "debug/session.h"

#include <functional>

namespace visor::debug::dap {

// See debug/client.h. `start` is called when the client has said what it wants.
[[nodiscard]] ClientEnd serve(Session& session, Channel channel, const std::function<void()>& start);

} // namespace visor::debug::dap
