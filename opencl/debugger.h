// The debugger of `visor debug -- ./app`: it is at the other end of a socket, and has the launches of one
// process (docs/debugging.md).
#pragma once

#include "check/finding.h"
#include "debug/serve.h"
#include "debug/served_client.h"
#include "debug/session.h"
#include "opencl/headers.h"
#include "vm/vm.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>

struct _cl_kernel;

namespace visor::opencl {

// Thread-safe.
class Debugger {
public:
    explicit Debugger(const debug::ApplicationSettings& settings);

    // Whether launches are debugged, as far as is known.
    [[nodiscard]] bool wanted() const { return state_ != nullptr && !state_->session.is_detached(); }
    // At the end of the process, before running work is stopped: a launch that is stopped goes on.
    void finish();
    // In a child of fork(), which has no debugger.
    void reset_after_fork();

private:
    friend class DebuggedLaunch;
    // At the first launch. False: there is no debugger.
    bool connect();

    struct State {
        explicit State(const debug::ApplicationSettings& given);

        const debug::ApplicationSettings settings;
        debug::Session session;
        std::mutex launch; // the session has one at a time; of what follows, too
        bool tried = false;
        std::atomic<debug::ServedClient*> client = nullptr; // never destroyed
    };
    // Never destroyed: its client has a thread of its own.
    State* state_ = nullptr;
};

// As long as it lives its launch is the only one of the process that is debugged.
class DebuggedLaunch {
public:
    struct What {
        _cl_kernel& kernel;
        std::span<const launch::ArgumentValue> values;
        std::function<std::string(const check::Finding& finding)> heading_of; // a line
    };
    DebuggedLaunch(Debugger& debugger, const What& what);
    ~DebuggedLaunch();
    DebuggedLaunch(const DebuggedLaunch&) = delete;
    DebuggedLaunch& operator=(const DebuggedLaunch&) = delete;
    DebuggedLaunch(DebuggedLaunch&&) = delete;
    DebuggedLaunch& operator=(DebuggedLaunch&&) = delete;

    // Error: the kernel cannot be prepared.
    [[nodiscard]] std::expected<void, vm::Error> put_under(vm::RunSettings& settings);

private:
    What what_;
    debug::Session* session_ = nullptr; // nullptr: it runs without a debugger
    std::unique_lock<std::mutex> held_;
    size_t shown_findings_ = 0;
};

} // namespace visor::opencl
