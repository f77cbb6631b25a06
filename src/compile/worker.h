// Starts a worker process for one request, and waits for its end: no zombies, and it is killed at its time
// limit.
#pragma once

#include "compile/protocol.h"

#include <chrono>
#include <expected>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace visor::compile {

using Deadline = std::chrono::steady_clock::time_point;

struct WorkerFailure {
    enum class Kind : uint8_t { not_started, died, time_limit } kind = Kind::not_started;
    std::string message; // "the OpenCL compiler crashed (SIGABRT)"
    int status = -1;     // waitpid()'s status of a dead worker; -1: unknown
    std::string errors;  // its last output to standard error
};

// Whether the status is a deliberate kill: terminals and `timeout` signal the whole process group, including
// workers.
[[nodiscard]] bool is_interrupt(int signal);

// A program and its arguments.
struct Command {
    std::string program;
    std::vector<std::string> arguments;

    Command(std::string path, std::vector<std::string> given = {}) // NOLINT(google-explicit-constructor)
        : program(std::move(path)), arguments(std::move(given)) {}
    [[nodiscard]] bool operator==(const Command&) const = default;
};

// A pending request to a worker; the destructor kills the worker. Used by one thread at a time.
class Inquiry {
public:
    Inquiry() = default;
    virtual ~Inquiry() = default;
    Inquiry(const Inquiry&) = delete;
    Inquiry& operator=(const Inquiry&) = delete;
    Inquiry(Inquiry&&) = delete;
    Inquiry& operator=(Inquiry&&) = delete;

    enum Patience : uint8_t { at_once, when_it_comes };
    using Answer = std::optional<std::expected<Message, WorkerFailure>>;
    // Does not block; nothing: the answer has not arrived. It is returned once.
    [[nodiscard]] virtual Answer answer(Patience patience) = 0;
    // Waits until `moment` at most.
    [[nodiscard]] virtual Answer answer_before(Deadline moment) = 0;
};

// Thread-safe. `who` begins the messages.
[[nodiscard]] std::expected<std::unique_ptr<Inquiry>, WorkerFailure>
start_inquiry(const Command& command, const Message& question, Deadline deadline,
              std::string_view who = "the OpenCL compiler");

// A prestarted worker, so that a request does not wait for its start. It exits when no request arrives
// (protocol.h). Thread-safe.
class Standby {
public:
    Standby();
    ~Standby();
    Standby(const Standby&) = delete;
    Standby& operator=(const Standby&) = delete;
    Standby(Standby&&) = delete;
    Standby& operator=(Standby&&) = delete;

    // Starts one unless a recently started one is idle; a failure shows at the request.
    void prepare(const Command& command);
    // As start_inquiry(), with the idle worker, else a new one.
    [[nodiscard]] std::expected<std::unique_ptr<Inquiry>, WorkerFailure>
    start_inquiry(const Command& command, const Message& question, Deadline deadline, std::string_view who);

private:
    struct Waiting;
    std::mutex mutex_;
    std::unique_ptr<Waiting> waiting_;
};

// Sends a request and waits for the answer. Thread-safe.
[[nodiscard]] std::expected<Message, WorkerFailure> ask_worker(const Command& command,
                                                               const Message& question, Deadline deadline,
                                                               std::string_view who = "the OpenCL compiler");

} // namespace visor::compile
