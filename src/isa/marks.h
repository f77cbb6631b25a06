// What stands in a function's code and takes no part in execution.
#pragma once

#include "isa/opcode.h"
#include "isa/row.h"

namespace visor::isa {

// Places that branches name.
[[nodiscard]] inline bool is_mark(const Row& row) {
    return row.opcode == opcode::label || row.opcode == opcode::subroutine;
}

// Notes for debuggers and the finalizer.
[[nodiscard]] inline bool is_note(const Row& row) {
    return row.opcode == opcode::file || row.opcode == opcode::loc || row.opcode == opcode::lifetime;
}

} // namespace visor::isa
