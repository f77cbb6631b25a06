// seccomp: the allowed system calls of a worker. An allowlist of what a compiler needs, so that new system
// calls are forbidden.
#pragma once

namespace visor::compile {

// Memory, reading, time and signals to itself. Others fail as unknown ones (ENOSYS), so that C libraries use
// their fallback; opening a file for writing fails with EACCES; a signal
// to another process, with EPERM. Needs no_new_privs. False: it is not in force.
[[nodiscard]] bool limit_system_calls();

} // namespace visor::compile
