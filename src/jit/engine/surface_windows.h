// Surface windows: the bytes of surfaces that compiled code may access. The engine fills them before code
// runs; accesses without a window are an interpreter fallback.
#pragma once

#include "jit/engine/object.h"
#include "jit/engine/runtime_abi.h"
#include "machine/thread.h"

#include <vector>

namespace visor::jit {

inline constexpr uint64_t largest_window = INT32_MAX; // offsets of gathers are signed

// Whether each of Object::handles selects a surface with a window: a buffer of the launch, or an unbound
// surface.
[[nodiscard]] bool handles_have_windows(const machine::Thread& thread, const Object& object);

// Fills the windows that the object reads, in the order of State: state variables' elements, binding-table
// indices, handles, initial values of elements. False: a window is too large or does not exist. `reported`:
// accesses to a buffer's padding fall back to the interpreter, which reports them.
[[nodiscard]] bool fill_windows(std::vector<Window>& windows, machine::Thread& thread, const Object& object,
                                const machine::EventKinds& reported);

// Fills the windows of all buffers of the launch, by surface number; other surfaces get no data. Never empty.
void fill_launch_windows(std::vector<Window>& windows, machine::Thread& thread,
                         const machine::EventKinds& reported);

} // namespace visor::jit
