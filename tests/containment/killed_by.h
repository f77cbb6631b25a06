// What a test was doing when a signal ends it: the hole that it found.
#pragma once

#include <string_view>

namespace visor::containment {

// From now on SIGSEGV, SIGBUS and SIGABRT print it and end the process with exit code 2.
void tell_when_killed();
// What a handler of such a signal does; `more`: the rest of the line.
[[noreturn]] void end_killed(int exit_code, std::string_view more);
// The first 500 bytes are kept.
void now_doing(std::string_view what);

} // namespace visor::containment
