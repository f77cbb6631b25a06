// seccomp: the system calls that are left to a worker. A list of what a compiler needs, so that what kernels
// learn tomorrow is not among it.
#pragma once

namespace visor::compile {

// Memory, reading, time and signals to itself. The others fail as if the kernel did not know them (ENOSYS),
// so that C libraries take the older way where there is one; what would write a file, with EACCES; a signal
// to another process, with EPERM. Needs no_new_privs. False: it is not in force.
[[nodiscard]] bool limit_system_calls();

} // namespace visor::compile
