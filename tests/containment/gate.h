// Compiled code behind protection keys: enters it with the process locked (keys.h) but for what the runtime
// ABI lets it write to, and unlocks it for callbacks.
#pragma once

#include "jit/engine/native_engine.h"

namespace visor::containment {

// For jit::make_engine; null unless keys are on.
[[nodiscard]] jit::Enter gate();

} // namespace visor::containment
