// The visor program. Nothing that goes wrong gets past here without an exit code and a word about it.
#include "cli/application.h"
#include "cli/as.h"
#include "cli/cc.h"
#include "cli/check.h"
#include "cli/command_line.h"
#include "cli/dis.h"
#include "cli/info.h"
#include "cli/isa.h"
#include "cli/run.h"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <new>

namespace {

using namespace visor::cli;

// A signal handler has nothing else to reach.
std::atomic<bool> stop{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_interrupt(int /*signal*/) {
    stop.store(true);
}

// The first interrupt ends the run in order, a second one the program.
void listen_for_interrupt() {
    struct sigaction action{};
    action.sa_handler = on_interrupt;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(SIGINT, &action, nullptr);
}

ExitCode answer(const PrintedAnswer& printed) {
    std::fwrite(printed.text.data(), 1, printed.text.size(), stdout);
    return std::fflush(stdout) == 0 ? ExitCode::clean : ExitCode::invalid;
}

ExitCode serve(const Request& request) {
    if (const auto* job = std::get_if<RunRequest>(&request))
        return run(*job, stop);
    if (const auto* job = std::get_if<ApplicationRequest>(&request))
        return run_application(*job);
    if (const auto* job = std::get_if<CcRequest>(&request))
        return cc(*job);
    if (const auto* job = std::get_if<AsRequest>(&request))
        return as(*job);
    if (const auto* job = std::get_if<DisRequest>(&request))
        return dis(*job);
    if (const auto* job = std::get_if<CheckRequest>(&request))
        return check(*job);
    if (const auto* job = std::get_if<IsaRequest>(&request))
        return isa_reference(*job);
    if (const auto* job = std::get_if<InfoRequest>(&request))
        return info(*job);
    return answer(std::get<PrintedAnswer>(request));
}

ExitCode guarded(const std::vector<std::string>& arguments) {
    const Console console(ColorWish::automatic, false, false);
    try {
        const auto request = parse_command_line(arguments);
        if (request)
            return serve(*request);
        console.report(request.error());
        return request.error().code;
    } catch (const std::bad_alloc&) {
        console.report({ExitCode::internal, "out of memory"});
    } catch (const std::exception& error) {
        console.report({ExitCode::internal, fmt::format("internal error: {}", error.what())});
    }
    return ExitCode::internal;
}

} // namespace

int main(int count, char** words) {
    listen_for_interrupt();
    const ExitCode code = guarded({words + (count > 0 ? 1 : 0), words + count});
    if (stop.load()) { // callers learn that it was the signal that ended us
        std::signal(SIGINT, SIG_DFL);
        std::raise(SIGINT);
    }
    return static_cast<int>(code);
}
