// Machine code from the worker process, kept on disk: what has been generated once is only read again. What
// the code depends on is its key: the function's text, the device, the options, the CPU, the worker itself.
#pragma once

#include "jit/engine/code_provider.h"

namespace visor::vm {

// Starts a worker for the next question, which is expected soon. Thread-safe.
void prepare_worker();
// The worker's crash and its time limit are among the reasons why there is no code.
[[nodiscard]] const jit::CodeProvider& worker_code_provider();

} // namespace visor::vm
