// Launches that go into folders, to be launched again elsewhere (docs/capture.md).
#pragma once

#include "capture/recorder.h"
#include "launch/bind.h"

#include <optional>
#include <span>
#include <string_view>

struct _cl_kernel;

namespace visor::opencl {

// A launch about to run, under exclusive access to the machine. `values` have the memory that pointers lead
// into now.
struct CapturedLaunch {
    _cl_kernel& kernel;
    std::span<const launch::ArgumentValue> values;
    std::span<const void* const> pointers; // of arguments that are pointers; null: not one
    const launch::Geometry& geometry;
    bool indirect = false; // it may follow pointers in memory
};
// Nothing: it is not captured.
[[nodiscard]] std::optional<capture::Recording> begin_capture(const CapturedLaunch& what);

// Prints a warning once.
void tell_of_captures(std::string_view text);

} // namespace visor::opencl
