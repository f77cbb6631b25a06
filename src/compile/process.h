// A child process identified by a pidfd: its number may be reused once other code in the program has reaped
// the child.
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
    // `arguments` begin with argv[0]. The child gets `socket` at the protocol's descriptor and `errors` as
    // standard error, no other descriptor above the standard ones, default signal dispositions, an empty mask
    // and a new session. Error: errno.
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

    // The wait status; nothing: it has not ended by then. -1: other code has reaped it.
    [[nodiscard]] std::optional<int> end_before(std::chrono::steady_clock::time_point moment);

private:
    Process(Descriptor descriptor, pid_t owner) : descriptor_(std::move(descriptor)), owner_(owner) {}

    Descriptor descriptor_; // closed once its end is known
    pid_t owner_;
};

} // namespace visor::compile
