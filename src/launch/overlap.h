// Finds overlaps of a thread's initial values: payload items, or inputs whose variables share storage. One of
// them would be overwritten, and engines rely on both (machine/thread_payload.h). Overlaps are rejected, not
// resolved.
#pragma once

#include "launch/signature.h"
#include "program/program.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace visor::launch {

struct ByteRange {
    uint64_t begin = 0;
    uint64_t end = 0; // exclusive
};

// Indices of ranges that share bytes, each of them with one that begins no later. Empty ranges share none.
[[nodiscard]] std::vector<std::pair<size_t, size_t>> overlaps(const std::vector<ByteRange>& ranges);

// "`arg_byvalue` of argument 0 (offset 32, 4 bytes)"
[[nodiscard]] std::string payload_text(std::string_view property, int argument, uint64_t offset,
                                       uint64_t bytes);

// The first two items of the cross-thread payload that share bytes, as an error; nothing when none do.
[[nodiscard]] std::optional<std::string> payload_overlap(const Signature& signature);

// Likewise for inputs in the register file, also with predefined variables.
[[nodiscard]] std::optional<std::string> input_overlap(const Program& program);

} // namespace visor::launch
