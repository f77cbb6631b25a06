// Calls between functions (FCALL, IFCALL and FRET pages; 3_execution_model.md): push and pop a thread's
// frame. The engine decides which function is called, and for which lanes.
#pragma once

#include "machine/thread.h"

namespace visor::machine {

// Limit of nested calls; recursion in compiled code overflows its stack before.
inline constexpr uint32_t max_function_depth = 8192;

struct FunctionCall {
    uint32_t function = 0; // in Launch::functions
    uint32_t lanes = 0;
    uint32_t argument_registers = 0; // GRFs of %arg
    uint32_t return_registers = 0;   // GRFs of %retval
};

// The thread continues in the function, or has faulted.
void enter_function(Thread& thread, const PreparedInstruction& instruction, const FunctionCall& call);
// Returns to the caller, and copies %retval, %sp, %fp and the control register to it.
void leave_function(Thread& thread);
// Pops all frames but the kernel's.
void unwind(Thread& thread);

} // namespace visor::machine
