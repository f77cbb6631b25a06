// The JIT's switches in the environment, for developers and tests (docs/dev/how-to.md).
#pragma once

#include "jit/engine/object.h"

#include <expected>
#include <string>

namespace visor::vm {

// VISOR_JIT_TIER (quick, best), VISOR_JIT_CPU (avx512, avx2, sse4.2: no more than this CPU has),
// VISOR_JIT_CALL_OUT_ALL, VISOR_JIT_DISABLE and VISOR_JIT_PRINT_AFTER (names of passes, separated by commas),
// VISOR_JIT_TIME, VISOR_JIT_LOG (a file) and VISOR_JIT_VERIFY. An empty variable is none. Error: a value that
// is none of these, or a CPU that this one is not; the worker process checks names of passes. Not thread-safe
// beside setenv.
[[nodiscard]] std::expected<jit::CompileOptions, std::string> jit_options_of_environment();

} // namespace visor::vm
