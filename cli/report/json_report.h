// What `--json` prints: one object on standard output (docs/json.md). Its keys are a promise: they are added
// to, never changed.
#pragma once

#include "cli/launch/record.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace visor::cli {

inline constexpr int json_version = 1;

[[nodiscard]] std::string json_of(const RunRecord& record);

// `visor info`: of this build, or of a file.
struct FileFacts {
    std::string file;
    std::string device;
    std::vector<vm::KernelFacts> kernels;
    std::vector<std::vector<std::string>> not_executed; // by kernel
    std::vector<std::string> warnings;
    std::optional<Failure> failure;
};
[[nodiscard]] std::string json_of(const FileFacts& facts);
[[nodiscard]] std::string json_of_build();

// "buffer", "local memory"
[[nodiscard]] std::string_view kind_name(vm::ParameterKind kind);

} // namespace visor::cli
