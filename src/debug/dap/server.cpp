#include "debug/dap/server.h"

#include "debug/dap/handler.h"
#include "debug/dap/transport.h"

#include <csignal>
#include <fmt/format.h>
#include <thread>
#include <unistd.h>

namespace visor::debug::dap {

namespace {

std::expected<std::pair<int, int>, std::string> descriptors(uint16_t port) {
    if (port != 0) {
        const auto client = first_client(port);
        if (!client)
            return std::unexpected(client.error());
        return std::pair{*client, *client};
    }
    const int out = dup(STDOUT_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO); // what kernels print is no message
    return std::pair{dup(STDIN_FILENO), out};
}

} // namespace

bool serve(uint16_t port, const Settings& settings,
           const std::function<std::shared_ptr<void>(Session&)>& start) {
    signal(SIGPIPE, SIG_IGN); // a client that has gone is told by read()
    const auto opened = descriptors(port);
    if (!opened) {
        fmt::print(stderr, "visor: error: {}\n", opened.error());
        return false;
    }
    Transport transport(opened->first, opened->second);
    Session session(settings);
    Handler handler(session, transport);
    std::shared_ptr<void> run;
    std::thread events;
    bool good = true;
    while (!handler.has_ended()) {
        const auto message = transport.read();
        if (!message) {
            fmt::print(stderr, "visor: error: {}\n", message.error());
            good = false;
        }
        if (!message || !*message)
            break;
        handler.answer(**message);
        if (handler.wants_start() && run == nullptr) {
            run = start(session);
            events = std::thread([&handler] { handler.tell_stops(); });
        }
    }
    session.kill();
    handler.client_has_gone();
    run.reset();
    if (events.joinable())
        events.join();
    return good;
}

} // namespace visor::debug::dap
