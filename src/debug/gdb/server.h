// A session for gdb: its remote protocol
// (sourceware.org/gdb/current/onlinedocs/gdb.html/Remote-Protocol.html), as of an x86-64 machine whose
// threads are the hardware threads of the work-group that runs. Global memory has its addresses; code has
// synthetic ones, with the lines of the source.
#pragma once

#include "debug/client.h"
#include "debug/session.h"

#include <functional>

namespace visor::debug::gdb {

// See debug/client.h. `start` is called at once; the run should stop at its first instruction.
[[nodiscard]] ClientEnd serve(Session& session, Channel channel, const std::function<void()>& start);

} // namespace visor::debug::gdb
