// Progress of long builds: a build can take a minute without output. On a terminal one line names what is
// being compiled; logs and pipes get none.
#pragma once

#include "compile/compile.h"

#include <chrono>
#include <optional>
#include <string>

namespace visor::compile {

inline constexpr std::chrono::seconds wait_without_notice{2};

// When to report a build that began at `start` and is not over; nothing: never.
[[nodiscard]] std::optional<std::chrono::steady_clock::time_point>
notice_time(std::chrono::steady_clock::time_point start, bool is_terminal);

// "compiling `k.cl` (kernels a, b) for skl: 2 s so far".
[[nodiscard]] std::string wait_text(const Request& request, std::chrono::steady_clock::duration waited);

} // namespace visor::compile
