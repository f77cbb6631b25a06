// The worker's side of a question and its answer. A worker process serves one question and ends.
#pragma once

#include "compile/protocol.h"

#include <cstdint>
#include <optional>

namespace visor::compile {

// Where goes what is written to standard output and standard error.
enum class Prints : uint8_t { nowhere, to_caller };
// No core file, no output of its own, no working folder to leave anything in. False: that cannot be had.
[[nodiscard]] bool settle(Prints prints);
// The system ends the process when it has used this much CPU time.
void limit_cpu_time(double seconds);
// Likewise to the microsecond, by the signal that is for that.
void end_after_cpu_time(double seconds);
// Allocations fail when the process has so much, but for sanitizers, which have more from the start.
void limit_memory(uint64_t bytes);
// Whether a question has begun to come, or the caller is gone: does not wait.
[[nodiscard]] bool is_called();
// Nothing: none came in time. From here until the reply the process ends when the caller hangs up.
[[nodiscard]] std::optional<Message> receive();
[[nodiscard]] bool reply(const Message& message);

} // namespace visor::compile
