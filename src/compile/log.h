// The outside compiler's words made ours: its log with the user's file names, what its return codes mean, and
// whether there is a kernel in what it made.
#pragma once

#include "compile/compile.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace visor::compile {

// The source with a first line that tells the compiler what the user calls it; lines and columns stay.
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

// Kernels of the user's in a zebin; 0 when it cannot be read.
[[nodiscard]] size_t kernel_count(std::string_view zebin);

} // namespace visor::compile
