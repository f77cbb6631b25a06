// The engine that the interpreter is compared with; none in builds without LLVM.
#pragma once

#include "interp/interp.h"

#include <memory>

namespace visor::containment {

[[nodiscard]] bool has_second_engine();
// nullptr: it has no code for the program, or there is none.
[[nodiscard]] std::unique_ptr<machine::Engine> second_engine(const std::shared_ptr<const Program>& program,
                                                             const interp::Interpreter& reference,
                                                             uint32_t simd);

} // namespace visor::containment
