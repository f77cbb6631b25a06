// A client of a session, whatever it speaks; and how an application's process is told of one.
#pragma once

#include "debug/client.h"
#include "debug/prompt_server.h"
#include "debug/session.h"

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace visor::debug {

// See debug/client.h. `style` is the prompt's.
[[nodiscard]] ClientEnd serve(Session& session, Protocol protocol, PromptStyle style, Channel channel,
                              const std::function<void()>& start);

// The client of the standard streams or, with a port of the loopback, the first one that comes to that.
// Error: a sentence.
[[nodiscard]] std::expected<Channel, std::string> open_channel(Protocol protocol, uint16_t port);
// Of a prompt there: with one where somebody types.
[[nodiscard]] PromptStyle style_of(uint16_t port);

// The client of an application is at the other end of a socket of the file system.
struct ApplicationSettings {
    std::string socket; // its path; "": there is no debugger
    Protocol protocol = Protocol::prompt;
    PromptStyle style = PromptStyle::silent;
    uint64_t history_mebibytes = 512;
    bool stop_at_end = false;

    [[nodiscard]] Settings session() const;
};
// The environment's VISOR_DEBUG: "PROTOCOL[,with-prompt][,stop-at-end][,history=MIB]:SOCKET". Nothing: it is
// not of that form.
[[nodiscard]] std::optional<ApplicationSettings> parse_application_settings(std::string_view text);
[[nodiscard]] std::string text_of(const ApplicationSettings& settings);
// A descriptor; nothing: nobody listens there any more.
[[nodiscard]] std::optional<int> connect_to(const std::string& socket);

} // namespace visor::debug
