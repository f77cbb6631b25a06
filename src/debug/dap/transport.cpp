#include "debug/dap/transport.h"

#include "debug/stream.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <fmt/format.h>
#include <string_view>
#include <unistd.h>

namespace visor::debug::dap {

namespace {

constexpr std::string_view length_key = "Content-Length: ";
constexpr std::string_view header_end = "\r\n\r\n";

std::optional<size_t> length_in(std::string_view header) {
    const size_t at = header.find(length_key);
    if (at == std::string_view::npos)
        return std::nullopt;
    const std::string_view rest = header.substr(at + length_key.size());
    size_t length = 0;
    const auto [end, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), length);
    return problem == std::errc{} && length <= most_message_bytes ? std::optional(length) : std::nullopt;
}

// Values are copied and written recursively.
bool nests_too_deep(std::string_view text) {
    size_t depth = 0;
    bool quoted = false;
    for (size_t at = 0; at < text.size(); ++at) {
        const char one = text[at];
        if (one == '"')
            quoted = !quoted;
        else if (quoted)
            at += one == '\\' ? 1 : 0;
        else if (one == '[' || one == '{')
            ++depth;
        else if ((one == ']' || one == '}') && depth > 0)
            --depth;
        if (depth > most_message_levels)
            return true;
    }
    return false;
}

} // namespace

Transport::~Transport() {
    close(in_);
    if (out_ != in_)
        close(out_);
}

bool Transport::fill() {
    std::array<char, 16384> part{};
    const size_t count = read_some(in_, part);
    buffer_.append(part.data(), count);
    return count != 0;
}

std::expected<std::optional<nlohmann::json>, std::string> Transport::read() {
    size_t end = 0;
    while ((end = buffer_.find(header_end)) == std::string::npos) {
        if (buffer_.size() > most_header_bytes)
            return std::unexpected("a message has no header");
        if (!fill())
            return std::nullopt;
    }
    const auto length = length_in(std::string_view(buffer_).substr(0, end));
    if (!length)
        return std::unexpected(
            fmt::format("a message has no length, or is longer than {} bytes", most_message_bytes));
    buffer_.erase(0, end + header_end.size());
    while (buffer_.size() < *length)
        if (!fill())
            return std::nullopt;
    if (nests_too_deep(std::string_view(buffer_).substr(0, *length)))
        return std::unexpected(fmt::format("a message nests deeper than {} levels", most_message_levels));
    auto message = nlohmann::json::parse(buffer_.begin(), buffer_.begin() + static_cast<ptrdiff_t>(*length),
                                         nullptr, false);
    buffer_.erase(0, *length);
    if (!message.is_object())
        return std::unexpected("a message is no JSON object");
    return message;
}

void Transport::send(const nlohmann::json& message) {
    const std::string text = message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    const std::string all = fmt::format("{}{}{}{}", length_key, text.size(), header_end, text);
    const std::lock_guard held(lock_);
    write_all(out_, all);
}

} // namespace visor::debug::dap
