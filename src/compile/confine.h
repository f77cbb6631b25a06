// The worker's side: what a process gives up before it looks at what it was sent. Code of a compiler that
// goes astray, be it by a kernel made for that, can then compute, read what it was shown, and answer. It
// writes no file, starts, signals and looks into no process, and reaches no network.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace visor::compile {

// What is in force. A kernel may lack the last two, or not let them be used.
struct Confinement {
    bool limited = false;      // memory, sizes of files, open files, processes
    bool no_new_privs = false; // no program that is started has more rights
    bool system_calls = false; // seccomp
    uint32_t landlock = 0;     // its version; 0: what the user can read can be read
};

// For ever. `readable`: files, and folders with all below them. Builds with sanitizers confine nothing.
[[nodiscard]] Confinement confine(std::span<const std::string> readable);

// What an OpenCL compiler reads whatever it compiles: the system's libraries and headers, folders of
// LD_LIBRARY_PATH and that of `library`.
[[nodiscard]] std::vector<std::string> files_of_compiler(std::string_view library);

} // namespace visor::compile
