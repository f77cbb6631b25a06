// Between a debugger's client and the application that it debugs: the client is at our standard streams or at
// a port, the application's process at a socket in a folder of this run.
#pragma once

#include "cli/options/request.h"
#include "debug/client.h"

#include <atomic>
#include <csignal>
#include <expected>
#include <memory>
#include <string>
#include <sys/types.h>
#include <thread>

namespace visor::cli {

class DebuggerRelay {
public:
    // Waits for the client of a port. `folder` is the run's own. Error: a sentence.
    [[nodiscard]] static std::expected<std::unique_ptr<DebuggerRelay>, std::string>
    open(const DebuggerChoice& choice, const std::string& folder);
    ~DebuggerRelay();
    DebuggerRelay(const DebuggerRelay&) = delete;
    DebuggerRelay& operator=(const DebuggerRelay&) = delete;
    DebuggerRelay(DebuggerRelay&&) = delete;
    DebuggerRelay& operator=(DebuggerRelay&&) = delete;

    // What the application's environment says (debug/serve.h).
    [[nodiscard]] const std::string& setting() const { return setting_; }
    // Whether the client has our standard streams: the application's input is empty then, and its output goes
    // to standard error if the client's protocol is no text.
    [[nodiscard]] bool has_input() const { return choice_.port == 0; }
    [[nodiscard]] bool has_output() const {
        return has_input() && choice_.protocol != visor::debug::Protocol::prompt;
    }
    // The signals of a process that is started while interrupts are the client's.
    [[nodiscard]] const sigset_t& former_signals() const { return former_signals_; }

    // The application has been started: from now on bytes go to and fro, in a thread of their own. An
    // interrupt stops the kernel that runs, or the application while it has no debugger.
    void begin(pid_t application);
    // It has ended: what it still said is passed on.
    void end();

private:
    explicit DebuggerRelay(const DebuggerChoice& choice) : choice_(choice) {}
    void run();
    void pass_from_client();
    void pass_from_application();
    void close_client();
    void interrupted();
    void accept_application();

    DebuggerChoice choice_;
    std::string setting_;
    visor::debug::Channel client_;
    int listener_ = -1;
    int application_ = -1; // its socket
    int interrupts_ = -1;
    int over_ = -1; // an event: it has ended
    pid_t process_ = 0;
    sigset_t former_signals_{};
    bool client_has_gone_ = false;
    std::thread thread_;
};

} // namespace visor::cli
