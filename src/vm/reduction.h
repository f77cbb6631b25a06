// Reduces vISA text, by itself or with its launch metadata. For the command line and the C API; writes no
// file.
#pragma once

#include "isa/device.h"
#include "reduce/reduce.h"
#include "vm/vm.h"

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string_view>

namespace visor::vm {

struct ReductionRequest {
    std::optional<const isa::Device*> device; // absent: the text's own, else any; nullptr: any
    uint64_t most_tests = 0;                  // 0: any number
    std::function<reduce::Answer(std::string_view text)> ask;
    std::function<void(const reduce::Progress&)> on_progress{}; // empty: none
};

// A text that can be read, or that the check of its default profile passes, stays so; of one that cannot, any
// text is tried. Error: it is no vISA text, or `ask` does not find it interesting.
[[nodiscard]] std::expected<reduce::Reduced, Error>
reduce_text(std::string_view name, std::string_view content, const ReductionRequest& request);

} // namespace visor::vm
