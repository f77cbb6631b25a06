// Starts the worker process, asks it one question, and sees it out: one process per question, never a zombie,
// killed when the time is up.
#pragma once

#include "compile/protocol.h"

#include <chrono>
#include <expected>
#include <string>
#include <string_view>

namespace visor::compile {

using Deadline = std::chrono::steady_clock::time_point;

struct WorkerFailure {
    enum class Kind : uint8_t { not_started, died, time_limit } kind = Kind::not_started;
    std::string message; // "the OpenCL compiler crashed (SIGABRT)"
};

// Path of the worker program: in $VISOR_LIBEXEC, else beside the running program or library, else where it
// was installed or built. Error: where it was looked for.
[[nodiscard]] std::expected<std::string, std::string> find_worker();
// Likewise for another program or module of Visor's own.
[[nodiscard]] std::expected<std::string, std::string> find_part(std::string_view file);

// Thread-safe.
[[nodiscard]] std::expected<Message, WorkerFailure> ask_worker(const std::string& program,
                                                               const Message& question, Deadline deadline);

} // namespace visor::compile
