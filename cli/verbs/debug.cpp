#include "cli/verbs/debug.h"

#include "cli/verbs/run.h"
#include "debug/dap/server.h"
#include "debug/prompt.h"
#include "debug/session.h"
#include "file/file.h"

#include <cstdio>
#include <fmt/format.h>
#include <iostream>
#include <string>
#include <thread>
#include <unistd.h>

namespace visor::cli {

namespace {

std::optional<std::string> source_text(std::string_view file) {
    constexpr size_t most = size_t{16} << 20U;
    const std::string path(file);
    if (!check_regular(path))
        return std::nullopt;
    auto content = read_file(path, most);
    return content ? std::optional(std::move(*content)) : std::nullopt;
}

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

void say(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

void talk(visor::debug::Session& session) {
    visor::debug::Prompt prompt(session, {.source = source_text, .arguments = {}});
    const bool is_terminal = isatty(STDIN_FILENO) != 0;
    say(prompt.describe(session.wait()));
    std::string line;
    while (!prompt.has_ended() && session.stop().kind != visor::debug::StopKind::over) {
        if (is_terminal)
            say("(visor) ");
        if (!std::getline(std::cin, line)) {
            session.kill(); // nobody is there any more
            return;
        }
        say(prompt.answer(line));
    }
}

} // namespace

ExitCode debug(const DebugRequest& request) {
    visor::debug::Settings settings;
    settings.history_bytes = request.history_mebibytes << 20U;
    settings.stop_at_end = request.stop_at_end;
    if (request.dap || request.port != 0) {
        const auto start = [&request](visor::debug::Session& session) {
            return std::make_shared<Running>(request.run, session);
        };
        return visor::debug::dap::serve(request.port, settings, start) ? ExitCode::clean : ExitCode::invalid;
    }
    visor::debug::Session session(settings);
    Running running(request.run, session);
    talk(session);
    return running.end();
}

} // namespace visor::cli
