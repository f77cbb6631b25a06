// Sandboxes a worker process before it reads its request. Compiler code that a malicious kernel has taken
// over can then only compute, read the permitted files, and answer. It can write no file, start, signal or
// inspect no process, and use no network.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace visor::compile {

// The active confinement. A kernel may lack the last two, or forbid their use.
struct Confinement {
    bool limited = false;      // memory, sizes of files, open files, processes
    bool no_new_privs = false; // no program that is started has more rights
    bool system_calls = false; // seccomp
    uint32_t landlock = 0;     // its version; 0: what the user can read can be read
};

// Irrevocable. `readable`: files, and folders with their content. Builds with sanitizers confine nothing.
[[nodiscard]] Confinement confine(std::span<const std::string> readable);

// Folders that an OpenCL compiler always reads: the system's libraries and headers, LD_LIBRARY_PATH, and that
// of `library`.
[[nodiscard]] std::vector<std::string> files_of_compiler(std::string_view library);

} // namespace visor::compile
