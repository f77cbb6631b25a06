// Which forms of an instruction the JIT compiles. A fact about Visor, for the instruction reference; the JIT
// does not read it, and jit.forms compares the two.
#pragma once

#include "isa/row.h"

#include <cstdint>

namespace visor::isa {

enum class Compiled : uint8_t { in_line, partly, interpreted };

struct CompiledForms {
    Compiled state = Compiled::in_line;
    const char* interpreted = ""; // which forms the interpreter executes; "" of `interpreted`: all
};
[[nodiscard]] CompiledForms compiled_forms(const Row& row);
[[nodiscard]] const char* name_of(Compiled state); // "in line", "partly", "interpreted"

} // namespace visor::isa
