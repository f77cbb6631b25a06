// A child process that is known by a descriptor of its own, not by its number, which may belong to another
// process once somebody else in the program has waited for the child.
#pragma once

#include "compile/descriptor.h"

#include <chrono>
#include <expected>
#include <optional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace visor::compile {

class Process {
public:
    // `arguments` begin with the name that it sees as its own. The child gets `socket` where the protocol
    // wants it and `errors` as standard error, no other descriptor above the standard ones, default signal
    // dispositions, an empty mask and a session of its own. Error: errno.
    [[nodiscard]] static std::expected<Process, int>
    start(const std::string& program, std::vector<std::string> arguments, int socket, int errors);

    // Ends it, and waits for its end, unless another process has inherited this object.
    ~Process();
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
    Process(Process&& other) noexcept = default;
    Process& operator=(Process&& other) noexcept {
        std::swap(descriptor_, other.descriptor_);
        std::swap(owner_, other.owner_);
        return *this;
    }

    // The wait status; nothing: it has not ended by then. -1: somebody else has waited for it.
    [[nodiscard]] std::optional<int> end_before(std::chrono::steady_clock::time_point moment);

private:
    Process(Descriptor descriptor, pid_t owner) : descriptor_(std::move(descriptor)), owner_(owner) {}

    Descriptor descriptor_; // closed once its end is known
    pid_t owner_;
};

} // namespace visor::compile
