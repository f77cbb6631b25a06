// Says where two modules differ, for the message of a property that does not hold. Whether they differ is
// visor::same's to say.
#pragma once

#include "module/module.h"

#include <string>

namespace visor::generator {

[[nodiscard]] std::string difference(const Module& expected, const Module& found);

} // namespace visor::generator
