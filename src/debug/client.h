// What serves a client of a session: a prompt, an editor, gdb. Each is a function
//   ClientEnd serve(Session&, Channel, const std::function<void()>& start)
// that returns when the client has gone or nothing runs any more. `start` begins the run; it is called once,
// at the latest when the client first wants to see it.
#pragma once

#include <cstdint>

namespace visor::debug {

// Two descriptors, which may be the same. Who serves the client closes them.
struct Channel {
    int in = -1;
    int out = -1;
};

// How a client's time ended, and so what becomes of the run.
enum class ClientEnd : uint8_t {
    over,           // nothing runs any more
    detached,       // it goes on without a debugger
    killed,         // the client wants its end
    vanished,       // the client is not there any more
    not_understood, // what it sent was no message of its protocol; said on standard error
};

// Of the debugger's front doors.
enum class Protocol : uint8_t { prompt, dap, gdb };

} // namespace visor::debug
