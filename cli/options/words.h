// Single option values, and the argument list before the option parser sees it.
#pragma once

#include "cli/console/outcome.h"
#include "cli/options/request.h"

#include <array>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace visor::cli {

// `X[,Y[,Z]]`, each at least `least`.
[[nodiscard]] std::expected<Extent, Failure> parse_extent(std::string_view option, std::string_view text,
                                                          uint64_t least, uint64_t most);
[[nodiscard]] std::expected<uint64_t, Failure> parse_count(std::string_view option, std::string_view text,
                                                           uint64_t most = UINT64_MAX);
[[nodiscard]] std::expected<double, Failure> parse_seconds(std::string_view option, std::string_view text);
// `--seed N` and `--seeds A..B` as they were given, "" where not: one schedule, or several to the last.
struct Seeds {
    uint64_t first = 0;
    std::optional<uint64_t> last;
};
[[nodiscard]] std::expected<Seeds, Failure> parse_seeds(std::string_view seed, std::string_view seeds);
// Index of `text` in `choices`; the failure names the nearest.
[[nodiscard]] std::expected<size_t, Failure> parse_choice(std::string_view option, std::string_view text,
                                                          std::span<const std::string_view> choices);
[[nodiscard]] std::expected<std::string, Failure> parse_device(std::string_view text);
// Also `any`; "" is no choice.
[[nodiscard]] std::expected<DeviceChoice, Failure> parse_device_choice(std::string_view text);

// A VALUE after the first of one `-a` may be a negative number: each gets an `-a` of its own, lest it pass
// for an option.
[[nodiscard]] std::vector<std::string> separate_negative_values(std::span<const std::string> arguments);

// What belongs to the OpenCL compiler, taken out of the arguments of `visor cc`.
struct CompilerWords {
    std::string options;
    std::vector<std::string> include_folders;
    std::vector<std::string> rest;
};
[[nodiscard]] std::expected<CompilerWords, Failure>
take_compiler_words(std::span<const std::string> arguments);

} // namespace visor::cli
