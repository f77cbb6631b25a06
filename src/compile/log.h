// Interprets the external compiler's output: its log with the user's file names, its return codes, and
// whether the binary has kernels.
#pragma once

#include "compile/compile.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace visor::compile {

// Prepends a #line directive with the user's file name; lines and columns do not change.
[[nodiscard]] std::string named_source(std::string_view name, std::string_view source);

// Without the driver's own lines around the compiler's messages.
[[nodiscard]] std::string clean_log(std::string_view log);

struct Refusal {
    FailureKind kind = FailureKind::build_error;
    std::string message;
};
// Why a build gave no binary.
[[nodiscard]] Refusal explain(int code, std::string_view log, std::string_view source_name,
                              std::string_view device);

// The number of the user's kernels in a zebin; 0 when it is unreadable.
[[nodiscard]] size_t kernel_count(std::string_view zebin);

} // namespace visor::compile
