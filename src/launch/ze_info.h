// The kernels' metadata (.ze_info, YAML) as signatures. What is not known (known_keys.h), because a newer
// compiler wrote it, is kept by name, so that a launch can refuse it; kernels without such run.
#pragma once

#include "diagnostic/diagnostic.h"
#include "launch/signature.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace visor::launch {

// Signatures in the order of the kernels, the compiler's dummy included. `base` is the text's offset in the
// file.
[[nodiscard]] std::optional<std::vector<Signature>> read_ze_info(std::string_view text, uint32_t base,
                                                                 Diagnostics& diagnostics);

// The same metadata in fewer lines, of the kernels with these names alone: one line for each argument. ""
// when the text is no metadata.
[[nodiscard]] std::string compact_ze_info(std::string_view text, std::span<const std::string_view> kernels);

} // namespace visor::launch
