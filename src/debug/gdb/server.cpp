#include "debug/gdb/server.h"

#include "debug/gdb/handler.h"
#include "debug/gdb/link.h"

#include <fmt/format.h>

namespace visor::debug::gdb {

namespace {

ClientEnd answer_all(Session& session, Link& link) {
    Handler handler(session, link);
    handler.begin();
    while (!handler.ended()) {
        const auto packet = link.read();
        if (!packet)
            return packet.error();
        handler.answer(*packet);
    }
    return *handler.ended();
}

} // namespace

ClientEnd serve(Session& session, Channel channel, const std::function<void()>& start) {
    Link link(channel);
    start();
    const ClientEnd end = answer_all(session, link);
    if (end == ClientEnd::not_understood)
        fmt::print(stderr, "visor: error: what the client sends is not gdb's remote protocol\n");
    session.client_has(end);
    return end;
}

} // namespace visor::debug::gdb
