// Calls between functions (FCALL, IFCALL and FRET pages; 3_execution_model.md): a thread's state goes from
// one frame to another. Which function is called, and for which lanes, is the engine's to know.
#pragma once

#include "machine/thread.h"

namespace visor::machine {

// Calls nested in each other; recursion in compiled code runs out of its stack before.
inline constexpr uint32_t max_function_depth = 8192;

struct FunctionCall {
    uint32_t function = 0; // in Launch::functions
    uint32_t lanes = 0;
    uint32_t argument_registers = 0; // GRFs of %arg that go in
    uint32_t return_registers = 0;   // GRFs of %retval that come back
};

// The thread goes on in the function, or has faulted.
void enter_function(Thread& thread, const PreparedInstruction& instruction, const FunctionCall& call);
// Back to the caller, whose %retval, %sp, %fp and control register are as the function left them.
void leave_function(Thread& thread);
// Back to the kernel, whatever is running.
void unwind(Thread& thread);

} // namespace visor::machine
