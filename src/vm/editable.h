// A zebin as text that can be edited and run: its launch metadata as comment lines, then the compiler's own
// text of every kernel and function.
#pragma once

#include "isa/device.h"
#include "vm/vm.h"

#include <expected>
#include <string>
#include <string_view>

namespace visor::vm {

// `kernel` "" means all. `device`: the zebin's target, if it does not name one.
[[nodiscard]] std::expected<std::string, Error> editable_text(std::string_view name, std::string_view zebin,
                                                              std::string_view kernel,
                                                              const isa::Device& device);

} // namespace visor::vm
