// What stands in a function's code and takes no part in execution.
#pragma once

#include "isa/opcode.h"
#include "isa/row.h"

namespace visor::program {

// Places that branches name.
[[nodiscard]] inline bool is_mark(const isa::Row& row) {
    return row.opcode == isa::opcode::label || row.opcode == isa::opcode::subroutine;
}

// Notes for debuggers and the finalizer.
[[nodiscard]] inline bool is_note(const isa::Row& row) {
    return row.opcode == isa::opcode::file || row.opcode == isa::opcode::loc ||
           row.opcode == isa::opcode::lifetime;
}

} // namespace visor::program
