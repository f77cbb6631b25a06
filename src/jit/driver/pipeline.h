// The pass pipeline: one function's program to machine code. Stateless and thread-safe.
#pragma once

#include "jit/engine/object.h"
#include "program/program.h"

#include <expected>
#include <functional>
#include <string>

namespace visor::jit {

// Initializes LLVM's target for this CPU, once. Thread-safe.
void initialize_target();

// Error: why not; also when `is_cancelled`, which is polled, returns true.
[[nodiscard]] std::expected<Object, std::string> compile(const Program& program,
                                                         const CompileOptions& options,
                                                         const std::function<bool()>& is_cancelled = {});

} // namespace visor::jit
