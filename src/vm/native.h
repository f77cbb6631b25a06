// Machine code from the worker process, with a cache on disk. The key has everything that the code depends
// on: the function's text, the device, the options, the CPU, the worker's binary.
#pragma once

#include "jit/engine/code_provider.h"

namespace visor::vm {

// Starts a worker for the next request, which is expected soon. Thread-safe.
void prepare_worker();
// A crash of the worker or its time limit is an error as any other.
[[nodiscard]] const jit::CodeProvider& worker_code_provider();

} // namespace visor::vm
