// Converts errors before a kernel's run to the facade's Error: its kind for the exit code, and its text.
// fault.h formats faults of running kernels.
#pragma once

#include "compile/compile.h"
#include "diagnostic/diagnostic.h"
#include "isa/device.h"
#include "vm/vm.h"

namespace visor::vm {

// The compiler's log, then Visor's message.
[[nodiscard]] Error error_of(const compile::Failure& failure);

// All messages; `unsupported` when there is no error beside what Visor does not support.
[[nodiscard]] Error error_of(const Diagnostics& diagnostics, const SourceView& source, Color color);

// A zebin for one device was used on another.
[[nodiscard]] Error other_device(std::string_view file, isa::DeviceId built_for, const isa::Device& asked);
[[nodiscard]] Error unknown_file(std::string_view name);

} // namespace visor::vm
