// The one clock of queues, events and timers.
#pragma once

#include "opencl/headers.h"

#include <chrono>

namespace visor::opencl {

// Nanoseconds of a clock that never goes back.
[[nodiscard]] inline cl_ulong now() {
    const auto since = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<cl_ulong>(std::chrono::duration_cast<std::chrono::nanoseconds>(since).count());
}

} // namespace visor::opencl
