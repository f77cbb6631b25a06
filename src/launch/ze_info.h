// The kernels' metadata (.ze_info, YAML) as signatures. Keys that are not known are passed over: newer
// compilers add some; launch parameters that are not known are kept as such, so that a launch can refuse them
// by name.
#pragma once

#include "diagnostic/diagnostic.h"
#include "launch/signature.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace visor::launch {

// Signatures in the order of the kernels, the compiler's dummy included. `base` is the text's offset in the
// file.
[[nodiscard]] std::optional<std::vector<Signature>> read_ze_info(std::string_view text, uint32_t base,
                                                                 Diagnostics& diagnostics);

} // namespace visor::launch
