// What the verbs that look at code share: messages about a unit, and its size in words.
#pragma once

#include "cli/console/console.h"
#include "cli/console/outcome.h"
#include "vm/translate.h"

#include <expected>
#include <string>

namespace visor::cli {

// The messages of what was read: warnings are printed, errors are the failure.
[[nodiscard]] std::expected<void, Failure> tell(const vm::Translated& translated, const Console& console);

// "skl", or "any device".
[[nodiscard]] std::string device_text(const isa::Device* device);

// Kernels, functions and instructions (labels and subroutine marks are none).
struct Size {
    uint64_t kernels = 0;
    uint64_t functions = 0;
    uint64_t instructions = 0;
};
[[nodiscard]] Size size_of(const Module& module);
// "2 kernels, 1 function, 120 instructions"
[[nodiscard]] std::string size_text(const Size& size);
[[nodiscard]] std::string size_text(const Module& module);
// "1 error", "2 errors"
[[nodiscard]] std::string count_text(uint64_t count, std::string_view thing);

} // namespace visor::cli
