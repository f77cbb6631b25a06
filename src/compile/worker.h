// Starts the worker process, asks it one question, and sees it out: one process per question, never a zombie,
// killed when the time is up.
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
    int status = -1;     // of one that died, as waitpid() has it; -1: not known
    std::string errors;  // what it wrote to its standard error last
};

// Whether a process that died of it was ended on purpose: terminals and `timeout` send such signals to all
// processes of a group, the workers among them.
[[nodiscard]] bool is_interrupt(int signal);

// A program and what it is started with.
struct Command {
    std::string program;
    std::vector<std::string> arguments;

    Command(std::string path, std::vector<std::string> given = {}) // NOLINT(google-explicit-constructor)
        : program(std::move(path)), arguments(std::move(given)) {}
    [[nodiscard]] bool operator==(const Command&) const = default;
};

// A question that a worker of its own is at work on; the worker is killed with it. Of one thread at a time,
// not always the same.
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
    // Nothing: it has not come yet, and nobody waited for it. Once it has come there is no other.
    [[nodiscard]] virtual Answer answer(Patience patience) = 0;
    // Waits no longer than until `moment`.
    [[nodiscard]] virtual Answer answer_before(Deadline moment) = 0;
};

// Thread-safe. `who` begins the messages.
[[nodiscard]] std::expected<std::unique_ptr<Inquiry>, WorkerFailure>
start_inquiry(const Command& command, const Message& question, Deadline deadline,
              std::string_view who = "the OpenCL compiler");

// A worker that was started before there is a question, whose start nobody then waits for. It ends when none
// comes (protocol.h). Thread-safe.
class Standby {
public:
    Standby();
    ~Standby();
    Standby(const Standby&) = delete;
    Standby& operator=(const Standby&) = delete;
    Standby(Standby&&) = delete;
    Standby& operator=(Standby&&) = delete;

    // Starts one unless one waits that was started not long ago; whether that works out shows when it is
    // asked.
    void prepare(const Command& command);
    // As start_inquiry(), of the one that waits, else of a new one.
    [[nodiscard]] std::expected<std::unique_ptr<Inquiry>, WorkerFailure>
    start_inquiry(const Command& command, const Message& question, Deadline deadline, std::string_view who);

private:
    struct Waiting;
    std::mutex mutex_;
    std::unique_ptr<Waiting> waiting_;
};

// Asks and waits. Thread-safe.
[[nodiscard]] std::expected<Message, WorkerFailure> ask_worker(const Command& command,
                                                               const Message& question, Deadline deadline,
                                                               std::string_view who = "the OpenCL compiler");

} // namespace visor::compile
