// Surface windows: which bytes of surfaces compiled code may access; the engine fills them before it runs.
// Accesses without a window are an interpreter fallback.
#pragma once

#include "jit/engine/object.h"
#include "jit/engine/runtime_abi.h"
#include "machine/thread.h"

#include <vector>

namespace visor::jit {

inline constexpr uint64_t largest_window = INT32_MAX; // offsets of gathers are signed

// Whether each handle that the launch gave, and that the code reads a window of, names a surface that code
// may use: a buffer of the launch's, or nothing that could be touched.
[[nodiscard]] bool handles_have_windows(const machine::Thread& thread, const Object& object);

// Those that the object reads, as State has them: of elements of state variables, of binding-table indices,
// of handles, of elements as a thread finds them when it starts. False: one is too large, or there is none.
// `told`: what lies in a buffer's padding is told of by the interpreter.
[[nodiscard]] bool fill_windows(std::vector<Window>& windows, machine::Thread& thread, const Object& object,
                                const machine::Subjects& told);

// Of all the launch's buffers, by number of the surface; without data where there is none. Never empty.
void fill_launch_windows(std::vector<Window>& windows, machine::Thread& thread,
                         const machine::Subjects& told);

} // namespace visor::jit
