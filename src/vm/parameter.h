// A kernel's parameters for the facade: from the compiler's metadata, or from a hand-written text.
#pragma once

#include "launch/signature.h"
#include "module/module.h"
#include "vm/vm.h"

namespace visor::vm {

[[nodiscard]] Parameter parameter_of(const launch::Argument& argument);
[[nodiscard]] Parameter parameter_of(const Function& function, const Input& input);

} // namespace visor::vm
