// Landlock, the kernel's limits for files by their folders:
// https://docs.kernel.org/userspace-api/landlock.html
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace visor::compile {

// From here on this process reads files below these paths, writes and makes none, and, where the kernel knows
// how, signals and connects to nobody outside. Version of what is in force; 0: none.
[[nodiscard]] uint32_t allow_reading(std::span<const std::string> paths);

} // namespace visor::compile
