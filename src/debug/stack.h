// The calls of a stopped thread: functions, and subroutines inside of them.
#pragma once

#include "debug/session.h"
#include "machine/thread.h"

#include <cstdint>
#include <string>
#include <vector>

namespace visor::debug {

struct StackEntry {
    machine::Frame* frame = nullptr; // its registers, which a subroutine shares with its caller
    uint32_t instruction = 0;        // that runs next; of a caller the call
    std::string name;                // of the function, or of the subroutine's label
};

// The innermost first, `most` at most. Views into the thread.
[[nodiscard]] std::vector<StackEntry> stack_of(const Session& session, machine::Thread& thread, size_t most);

} // namespace visor::debug
