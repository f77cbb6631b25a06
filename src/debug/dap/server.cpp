#include "debug/dap/server.h"

#include "debug/dap/handler.h"
#include "debug/dap/transport.h"

#include <fmt/format.h>
#include <thread>

namespace visor::debug::dap {

namespace {

// Until the client has gone.
ClientEnd answer_all(Handler& handler, Transport& transport, const std::function<void()>& begin) {
    bool begun = false;
    while (!handler.ended()) {
        const auto message = transport.read();
        if (!message) {
            fmt::print(stderr, "visor: error: {}\n", message.error());
            return ClientEnd::not_understood;
        }
        if (!*message)
            return ClientEnd::vanished;
        handler.answer(**message);
        if (handler.wants_start() && !begun)
            begin();
        begun = begun || handler.wants_start();
    }
    return *handler.ended();
}

} // namespace

ClientEnd serve(Session& session, Channel channel, const std::function<void()>& start) {
    Transport transport(channel.in, channel.out);
    Handler handler(session, transport);
    std::thread events;
    const ClientEnd end = answer_all(handler, transport, [&] {
        start();
        events = std::thread([&handler] { handler.tell_stops(); });
    });
    session.client_has(end);
    handler.client_has_gone();
    if (events.joinable())
        events.join();
    return handler.is_over() ? ClientEnd::over : end;
}

} // namespace visor::debug::dap
