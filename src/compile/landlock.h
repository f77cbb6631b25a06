// Landlock, the kernel's limits for files by their folders:
// https://docs.kernel.org/userspace-api/landlock.html
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace visor::compile {

// Restricts this process to reading files below these paths, without writing or creating any. If the kernel
// supports it, also forbids signals and connections outside. Returns the active version; 0: none.
[[nodiscard]] uint32_t allow_reading(std::span<const std::string> paths);

} // namespace visor::compile
