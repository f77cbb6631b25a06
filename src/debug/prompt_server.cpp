#include "debug/prompt_server.h"

#include "debug/stream.h"

#include <array>
#include <poll.h>
#include <string>
#include <unistd.h>
#include <utility>

namespace visor::debug {

namespace {

constexpr size_t most_line_bytes = size_t{1} << 16U;

// Lines as they come; while something runs a byte can be an interrupt.
class Lines {
public:
    explicit Lines(int from) : from_(from) {}

    // Nothing: the client has gone, or its line is too long.
    std::optional<std::string> next() {
        size_t end = 0;
        while ((end = buffer_.find('\n')) == std::string::npos) {
            if (buffer_.size() > most_line_bytes)
                return std::nullopt;
            if (!fill()) // the last line may have no end
                return buffer_.empty() ? std::nullopt : std::optional(std::exchange(buffer_, ""));
        }
        std::string line = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        return line;
    }

    // Takes what has come, without waiting for more.
    void look() {
        pollfd one{from_, POLLIN, 0};
        if (!gone_ && buffer_.size() <= most_line_bytes && poll(&one, 1, 0) > 0)
            fill();
    }
    [[nodiscard]] bool take_interrupt() { return std::exchange(interrupted_, false); }

private:
    bool fill() {
        std::array<char, 4096> part{};
        const size_t count = read_some(from_, part);
        gone_ = gone_ || count == 0;
        buffer_.append(part.data(), count);
        interrupted_ = std::erase(buffer_, interrupt_byte) != 0 || interrupted_;
        return count != 0;
    }

    int from_;
    std::string buffer_;
    bool gone_ = false;
    bool interrupted_ = false;
};

// Whether nobody reads any more.
bool is_closed(int to) {
    pollfd one{to, 0, 0};
    return poll(&one, 1, 0) > 0 && (one.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0;
}

class Server {
public:
    Server(Session& session, Channel channel, PromptStyle style)
        : session_(session), channel_(channel), style_(style), lines_(channel.in),
          prompt_(session, [this] { return wait(); }) {}

    ClientEnd run() {
        if (!say(prompt_.describe(wait())))
            return ClientEnd::vanished;
        while (!is_over() && !prompt_.ending()) {
            if (style_ == PromptStyle::with_prompt && !say("(visor) "))
                return ClientEnd::vanished;
            const auto line = lines_.next();
            if (!line || !say(prompt_.answer(*line)))
                return ClientEnd::vanished;
        }
        return prompt_.ending().value_or(ClientEnd::over);
    }

private:
    // The client may have sent all its lines at once, and is only looked at for interrupts.
    Stop wait() {
        constexpr double moment = 0.05; // seconds
        for (;;) {
            if (auto stop = session_.wait_for(moment))
                return *stop;
            lines_.look();
            if (lines_.take_interrupt())
                session_.pause();
            if (is_closed(channel_.out))
                session_.client_has(ClientEnd::vanished);
        }
    }
    [[nodiscard]] bool is_over() const { return session_.is_over(); }
    bool say(std::string_view text) const { return write_all(channel_.out, text); }

    Session& session_;
    Channel channel_;
    PromptStyle style_;
    Lines lines_;
    Prompt prompt_;
};

} // namespace

ClientEnd serve_prompt(Session& session, Channel channel, PromptStyle style,
                       const std::function<void()>& start) {
    start();
    const ClientEnd end = Server(session, channel, style).run();
    session.client_has(end);
    close(channel.in);
    if (channel.out != channel.in)
        close(channel.out);
    return end;
}

} // namespace visor::debug
