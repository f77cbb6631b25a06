// Machine code from the worker process, kept on disk: what has been generated once is only read again. What
// the code depends on is its key: the function's text, the device, the options, the CPU, the worker itself.
#pragma once

#include "jit/object.h"

#include <expected>
#include <string>

namespace visor::vm {

// Thread-safe. Error: why there is no code; the worker's crash and its time limit among the reasons.
[[nodiscard]] std::expected<jit::Object, std::string> make_object(const visor::Program& program,
                                                                  const jit::CompileOptions& options);

} // namespace visor::vm
