// A launch under a debugger (docs/debugging.md).
#pragma once

#include "capi/binding.h"
#include "debug/served_client.h"
#include "debug/session.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <visor/visor.h>

namespace visor::capi {

struct DebuggerChoice {
    debug::Protocol protocol = debug::Protocol::prompt;
    uint16_t port = 0; // of the loopback; 0: the standard streams
    debug::Settings settings;
};
// Nothing: none is wanted. Refuses what cannot be.
[[nodiscard]] std::optional<DebuggerChoice> debugger_of(const visor_launch_options& options);

class DebuggedLaunch {
public:
    // Waits for the client, and until it has said what it wants. `stop` is set when it wants the end.
    DebuggedLaunch(const DebuggerChoice& choice, std::atomic<bool>& stop);
    ~DebuggedLaunch();
    DebuggedLaunch(const DebuggedLaunch&) = delete;
    DebuggedLaunch& operator=(const DebuggedLaunch&) = delete;
    DebuggedLaunch(DebuggedLaunch&&) = delete;
    DebuggedLaunch& operator=(DebuggedLaunch&&) = delete;

    [[nodiscard]] debug::Session& session() { return session_; }
    // Refuses a kernel that cannot be prepared.
    void put_under(const KernelObject& kernel, const Binding& binding, vm::RunSettings& settings,
                   std::function<void()> told);

private:
    debug::Session session_;
    std::optional<debug::ServedClient> client_;
};

} // namespace visor::capi
