#include "debug/serve.h"

#include "debug/dap/server.h"
#include "debug/gdb/server.h"
#include "debug/loopback.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace visor::debug {

namespace {

constexpr std::array<std::string_view, 3> protocol_names{"prompt", "dap", "gdb"}; // by Protocol
constexpr std::string_view with_prompt_word = "with-prompt";
constexpr std::string_view stop_at_end_word = "stop-at-end";
constexpr std::string_view history_word = "history=";

bool take(std::string_view word, ApplicationSettings& settings) {
    if (word == with_prompt_word)
        settings.style = PromptStyle::with_prompt;
    else if (word == stop_at_end_word)
        settings.stop_at_end = true;
    else if (word.starts_with(history_word)) {
        const char* const end = word.data() + word.size();
        const auto [last, problem] =
            std::from_chars(word.data() + history_word.size(), end, settings.history_mebibytes);
        return problem == std::errc{} && last == end && settings.history_mebibytes <= most_history_mebibytes;
    } else
        return false;
    return true;
}

} // namespace

ClientEnd serve(Session& session, Protocol protocol, PromptStyle style, Channel channel,
                const std::function<void()>& start) {
    switch (protocol) {
    case Protocol::prompt:
        return serve_prompt(session, channel, style, start);
    case Protocol::dap:
        return dap::serve(session, channel, start);
    case Protocol::gdb:
        return gdb::serve(session, channel, start);
    }
    return ClientEnd::not_understood;
}

std::expected<Channel, std::string> open_channel(Protocol protocol, uint16_t port) {
    if (port != 0) {
        const auto client = first_client(port);
        if (!client)
            return std::unexpected(client.error());
        return Channel{*client, *client};
    }
    const int out = dup(STDOUT_FILENO);
    if (protocol != Protocol::prompt)
        dup2(STDERR_FILENO, STDOUT_FILENO); // what kernels print is no message
    return Channel{dup(STDIN_FILENO), out};
}

PromptStyle style_of(uint16_t port) {
    return port == 0 && isatty(STDIN_FILENO) != 0 ? PromptStyle::with_prompt : PromptStyle::silent;
}

Settings ApplicationSettings::session() const {
    return {.history_bytes = history_mebibytes << 20U, .stop_at_end = stop_at_end, .outlives_client = true};
}

std::optional<ApplicationSettings> parse_application_settings(std::string_view text) {
    const size_t colon = text.find(':');
    if (colon == std::string_view::npos || colon + 1 == text.size())
        return std::nullopt;
    ApplicationSettings settings{.socket = std::string(text.substr(colon + 1))};
    std::string_view words = text.substr(0, colon);
    const size_t first = std::min(words.find(','), words.size());
    const auto* const name = std::ranges::find(protocol_names, words.substr(0, first));
    if (name == protocol_names.end())
        return std::nullopt;
    settings.protocol = static_cast<Protocol>(name - protocol_names.begin());
    words.remove_prefix(first);
    while (!words.empty()) {
        words.remove_prefix(1); // the comma
        const size_t end = std::min(words.find(','), words.size());
        if (!take(words.substr(0, end), settings))
            return std::nullopt;
        words.remove_prefix(end);
    }
    return settings;
}

std::string text_of(const ApplicationSettings& settings) {
    return fmt::format("{}{}{}{}{},{}{}:{}", protocol_names[static_cast<size_t>(settings.protocol)],
                       settings.style == PromptStyle::with_prompt ? "," : "",
                       settings.style == PromptStyle::with_prompt ? with_prompt_word : "",
                       settings.stop_at_end ? "," : "", settings.stop_at_end ? stop_at_end_word : "",
                       history_word, settings.history_mebibytes, settings.socket);
}

std::optional<int> connect_to(const std::string& socket) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (socket.size() >= sizeof address.sun_path)
        return std::nullopt;
    std::ranges::copy(socket, std::begin(address.sun_path));
    const int made = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made < 0)
        return std::nullopt;
    if (connect(made, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
        return made;
    close(made);
    return std::nullopt;
}

} // namespace visor::debug
