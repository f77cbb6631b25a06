// Which launches are captured: `KERNEL[:N[..M]],...`.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace visor::capture {

struct Chosen {
    std::string kernel; // "": any
    // Of this kernel's launches, or of all; from 0 on.
    uint64_t first = 0;
    uint64_t last = UINT64_MAX;
};

// None: all launches.
using Selection = std::vector<Chosen>;

// "saxpy", "saxpy:3", "saxpy:3..5", ":0..9", separated by commas. Error: a sentence part.
[[nodiscard]] std::expected<Selection, std::string> parse_selection(std::string_view text);

// `number` counts all launches, `of_kernel` this kernel's.
[[nodiscard]] bool is_chosen(const Selection& selection, std::string_view kernel, uint64_t number,
                             uint64_t of_kernel);

} // namespace visor::capture
