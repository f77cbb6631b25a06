#include "cli/verbs/debug.h"

#include "cli/verbs/run.h"
#include "debug/serve.h"
#include "debug/session.h"

#include <csignal>
#include <fmt/format.h>
#include <string>
#include <thread>
#include <unistd.h>

namespace visor::cli {

namespace {

// The run, in a thread of its own, as long as it lives.
class Running {
public:
    Running(RunRequest request, visor::debug::Session& session)
        : session_(session), thread_([this, request = std::move(request)]() mutable {
              request.debugger = &session_;
              code_ = run(request, session_.killed());
              session_.finish();
          }) {}
    ~Running() { end(); }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    Running(Running&&) = delete;
    Running& operator=(Running&&) = delete;

    // Waits for it.
    ExitCode end() {
        if (thread_.joinable())
            thread_.join();
        return code_;
    }

private:
    visor::debug::Session& session_;
    ExitCode code_ = ExitCode::internal;
    std::thread thread_;
};

} // namespace

ExitCode debug(const DebugRequest& request) {
    using visor::debug::ClientEnd;
    signal(SIGPIPE, SIG_IGN); // a client that has gone is told by what is read
    visor::debug::Settings settings;
    settings.history_bytes = request.debugger.history_mebibytes << 20U;
    settings.stop_at_end = request.debugger.stop_at_end;
    const auto channel = visor::debug::open_channel(request.debugger.protocol, request.debugger.port);
    if (!channel) {
        fmt::print(stderr, "visor: error: {}\n", channel.error());
        return ExitCode::invalid;
    }
    visor::debug::Session session(settings);
    std::optional<Running> running;
    const auto style = visor::debug::style_of(request.debugger.port);
    const ClientEnd end = serve(session, request.debugger.protocol, style, *channel,
                                [&] { running.emplace(request.run, session); });
    if (end == ClientEnd::not_understood)
        return ExitCode::invalid;
    const bool is_watched =
        request.debugger.protocol == visor::debug::Protocol::prompt || end == ClientEnd::detached;
    const ExitCode code = running ? running->end() : ExitCode::clean;
    return is_watched ? code : ExitCode::clean; // an editor's user has seen how it ended
}

} // namespace visor::cli
