// A build can take a minute, and an application says nothing meanwhile. Whoever sits before a terminal is
// told once what is being compiled; logs and pipes are not.
#pragma once

#include "compile/compile.h"

#include <chrono>
#include <optional>
#include <string>

namespace visor::compile {

inline constexpr std::chrono::seconds wait_without_notice{2};

// When to tell of a build that began at `start` and is not over; nothing: never.
[[nodiscard]] std::optional<std::chrono::steady_clock::time_point>
notice_time(std::chrono::steady_clock::time_point start, bool is_terminal);

// "compiling `k.cl` (kernels a, b) for skl: 2 s so far".
[[nodiscard]] std::string wait_text(const Request& request, std::chrono::steady_clock::duration waited);

} // namespace visor::compile
