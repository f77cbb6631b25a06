// What went wrong before a kernel ran, as the one Error that the facade hands out: its kind for the exit
// code, its text for people. Faults of a running kernel are told by fault.h.
#pragma once

#include "compile/compile.h"
#include "diagnostic/diagnostic.h"
#include "isa/device.h"
#include "vm/vm.h"

namespace visor::vm {

// The compiler's own words, then our sentence.
[[nodiscard]] Error error_of(const compile::Failure& failure);

// All messages; `unsupported` when there is no error beside what Visor does not support.
[[nodiscard]] Error error_of(const Diagnostics& diagnostics, const SourceView& source, Color color);

// A zebin for one device was to be used on another.
[[nodiscard]] Error other_device(std::string_view file, isa::DeviceId built_for, const isa::Device& asked);
[[nodiscard]] Error unknown_file(std::string_view name);

} // namespace visor::vm
