// The worker's side of a request. A worker process serves one request and exits.
#pragma once

#include "compile/protocol.h"

#include <cstdint>
#include <optional>

namespace visor::compile {

// The target of standard output and standard error.
enum class Prints : uint8_t { nowhere, to_caller };
// Disables core files and output, and changes to a folder without write access. False: failed.
[[nodiscard]] bool settle(Prints prints);
// The system kills the process after this CPU time.
void limit_cpu_time(double seconds);
// Likewise in microseconds, by a timer signal.
void end_after_cpu_time(double seconds);
// Allocations beyond this fail; not with sanitizers, which reserve more from the start.
void limit_memory(uint64_t bytes);
// Whether a request has begun to arrive, or the caller is gone; does not block.
[[nodiscard]] bool is_called();
// Nothing: none arrived in time. Until the reply the process ends when the caller closes its socket.
[[nodiscard]] std::optional<Message> receive();
[[nodiscard]] bool reply(const Message& message);

} // namespace visor::compile
