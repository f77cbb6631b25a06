// Protection keys (pkeys(7)) as witnesses: while compiled code runs, its CPU thread can write to nothing but
// its stack and what is shared here; a write to anything else of the process ends it. A test's state is the
// process's: one test a process.
#pragma once

#include "machine/memory.h"

#include <cstddef>
#include <cstdint>
#include <functional>

namespace visor::containment {

// Exit codes: no protection keys here; a write to what is not shared.
inline constexpr int skipped = 77;
inline constexpr int stopped = 4;

// Whether the CPU and the system have protection keys. The first call decides.
[[nodiscard]] bool have_keys();
// Whether `body` of with_keys runs.
[[nodiscard]] bool keys_are_on();

// Runs `body` in a CPU thread whose stack is shared, with each block of the heap in pages of its own while
// fences are armed; gives its result, or `skipped`, which it says. Call it once.
[[nodiscard]] int with_keys(const std::function<int()>& body);

// Compiled code may write to the pages of these bytes, until they are unmapped. Nothing without keys.
void share(const void* bytes, size_t count);
void share(const machine::Memory& memory); // all live allocations

// Takes the right to write to what is not shared, and gives it back.
void lock_process();
void unlock_process();
[[nodiscard]] uint64_t locked(); // times that it was taken

} // namespace visor::containment
