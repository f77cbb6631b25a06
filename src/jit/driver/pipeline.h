// The pass pipeline: one function's program to machine code. Stateless and thread-safe: what a worker
// process or a cache wants.
#pragma once

#include "jit/engine/object.h"
#include "program/program.h"

#include <expected>
#include <functional>
#include <string>

namespace visor::jit {

// LLVM's part for this CPU; once, whoever calls first.
void initialize_target();

// Error: why not; also when `gives_up`, which is asked from time to time, says so.
[[nodiscard]] std::expected<Object, std::string>
compile(const Program& program, const CompileOptions& options, const std::function<bool()>& gives_up = {});

} // namespace visor::jit
