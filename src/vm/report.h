// What went wrong in a stage, as the one Error that the facade hands out: its kind for the exit code, its
// text for people.
#pragma once

#include "compile/compile.h"
#include "diagnostic/diagnostic.h"
#include "machine/fault.h"
#include "machine/memory.h"
#include "program/program.h"
#include "vm/vm.h"

#include <string_view>

namespace visor::vm {

// Who is at fault, where it stood, what it tried, with addresses told by the allocation they lie in or
// beside.
[[nodiscard]] Error error_of(const machine::Fault& fault, const visor::Program& program,
                             std::string_view kernel, const machine::Memory& memory);

// The compiler's own words follow our sentence.
[[nodiscard]] Error error_of(const compile::Failure& failure);

// All messages; `unsupported` when there is no error beside what Visor does not support.
[[nodiscard]] Error error_of(const Diagnostics& diagnostics, const SourceView& source, Color color);

} // namespace visor::vm
