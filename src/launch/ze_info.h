// Parses the kernels' metadata (.ze_info, YAML) into signatures. Unknown entries (known_keys.h) of newer
// compilers are kept by name, so that a launch can be rejected; kernels without any run.
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

// The metadata of the kernels with these names, condensed to one line for each argument. "": the text is no
// metadata.
[[nodiscard]] std::string compact_ze_info(std::string_view text, std::span<const std::string_view> kernels);

} // namespace visor::launch
