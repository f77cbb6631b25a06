// Which forms of an instruction the JIT compiles. A fact about Visor, for the instruction reference; the JIT
// does not read it, and jit.forms compares the two.
#pragma once

#include "isa/row.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace visor::isa {

enum class Compiled : uint8_t { in_line, partly, interpreted };

// What compiled code may call, on paths that are rarely taken but for the barrier.
enum RuntimeCallKind : uint8_t {
    calls_allocation_lookup = 1U << 0U, // a flat address outside the allocation that was hit last
    calls_barrier = 1U << 1U,           // in code of single threads; code of whole groups has it in line
    calls_safepoint = 1U << 2U,         // a backward branch: fuel, stop, other threads' turn
    calls_interpreter = 1U << 3U,       // faults are its: registers, memory outside or misaligned; arguments
                                        // that approximations do not cover
};

struct CompiledForms {
    Compiled state = Compiled::in_line;
    const char* interpreted = ""; // which forms the interpreter executes; "" of `interpreted`: all
    uint8_t calls = 0;            // RuntimeCallKind, of the forms that are compiled
};
[[nodiscard]] CompiledForms compiled_forms(const Row& row);
[[nodiscard]] const char* name_of(Compiled state); // "in line", "partly", "interpreted"
// "allocation lookup", "barrier", ...
[[nodiscard]] std::vector<std::string_view> names_of_calls(const CompiledForms& forms);

} // namespace visor::isa
