#include "cli/verbs/debugger_relay.h"

#include "debug/serve.h"
#include "debug/stream.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace visor::cli {

namespace {

using visor::debug::Protocol;

constexpr size_t part_bytes = 65536;
constexpr int half_a_second = 500; // milliseconds

// For one process; those that come later find nobody.
std::expected<int, std::string> listen_at(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path)
        return std::unexpected(
            fmt::format("{}: the path is too long for a socket: TMPDIR may be shorter", path));
    std::ranges::copy(path, std::begin(address.sun_path));
    const int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made >= 0 && bind(made, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
        listen(made, 1) == 0)
        return made;
    const int problem = errno;
    if (made >= 0)
        close(made);
    return std::unexpected(fmt::format("{}: {}", path, std::strerror(problem)));
}

void close_if_open(int& descriptor) {
    if (descriptor >= 0)
        close(descriptor);
    descriptor = -1;
}

} // namespace

std::expected<std::unique_ptr<DebuggerRelay>, std::string> DebuggerRelay::open(const DebuggerChoice& choice,
                                                                               const std::string& folder) {
    std::unique_ptr<DebuggerRelay> made(new DebuggerRelay(choice));
    visor::debug::ApplicationSettings settings{.socket = folder + "/debugger",
                                               .protocol = choice.protocol,
                                               .history_mebibytes = choice.history_mebibytes,
                                               .stop_at_end = choice.stop_at_end};
    settings.style = visor::debug::style_of(choice.port);
    const auto listener = listen_at(settings.socket);
    if (!listener)
        return std::unexpected(listener.error());
    made->listener_ = *listener;
    made->setting_ = text_of(settings);
    const auto client = visor::debug::open_channel(choice.protocol, choice.port);
    if (!client)
        return std::unexpected(client.error());
    made->client_ = *client;
    signal(SIGPIPE, SIG_IGN);
    sigset_t interrupts{};
    sigemptyset(&interrupts);
    if (choice.protocol == Protocol::prompt)
        sigaddset(&interrupts, SIGINT);
    pthread_sigmask(SIG_BLOCK, &interrupts, &made->former_signals_);
    made->interrupts_ = signalfd(-1, &interrupts, SFD_CLOEXEC);
    made->over_ = eventfd(0, EFD_CLOEXEC);
    return made;
}

DebuggerRelay::~DebuggerRelay() {
    end();
    close_if_open(listener_);
    close_if_open(application_);
    close_client();
    if (interrupts_ >= 0)
        pthread_sigmask(SIG_SETMASK, &former_signals_, nullptr);
    close_if_open(interrupts_);
    close_if_open(over_);
}

void DebuggerRelay::begin(pid_t application) {
    process_ = application;
    thread_ = std::thread([this] { run(); });
}

void DebuggerRelay::end() {
    if (!thread_.joinable())
        return;
    const uint64_t one = 1;
    static_cast<void>(!write(over_, &one, sizeof one));
    thread_.join();
}

void DebuggerRelay::accept_application() {
    application_ = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    close_if_open(listener_); // there is one debugger
}

void DebuggerRelay::interrupted() {
    signalfd_siginfo about{};
    static_cast<void>(!read(interrupts_, &about, sizeof about));
    if (application_ >= 0)
        visor::debug::write_all(application_, {&visor::debug::interrupt_byte, 1});
    else
        kill(process_, SIGINT);
}

void DebuggerRelay::pass_from_client() {
    std::array<char, part_bytes> part{};
    const size_t count = visor::debug::read_some(client_.in, part);
    client_has_gone_ = count == 0 || !visor::debug::write_all(application_, {part.data(), count});
    if (client_has_gone_)
        shutdown(application_, SHUT_WR);
}

void DebuggerRelay::pass_from_application() {
    std::array<char, part_bytes> part{};
    const size_t count = visor::debug::read_some(application_, part);
    if (count != 0 && visor::debug::write_all(client_.out, {part.data(), count}))
        return;
    // It is debugged no more, or its client has gone.
    close_if_open(application_);
    close_client();
}

void DebuggerRelay::close_client() {
    const bool is_one = client_.in == client_.out;
    close_if_open(client_.in);
    if (is_one)
        client_.out = -1;
    close_if_open(client_.out);
}

void DebuggerRelay::run() {
    enum : size_t { over, interrupts, listener, application, client, all };
    for (bool has_ended = false;;) {
        const int from_client = application_ >= 0 && !client_has_gone_ ? client_.in : -1;
        std::array<pollfd, all> waiting{pollfd{has_ended ? -1 : over_, POLLIN, 0},
                                        pollfd{interrupts_, POLLIN, 0}, pollfd{listener_, POLLIN, 0},
                                        pollfd{application_, POLLIN, 0}, pollfd{from_client, POLLIN, 0}};
        // gdb waits two seconds for an answer, and takes acknowledgements for a sign of life.
        const bool keeps_alive = choice_.protocol == Protocol::gdb && listener_ >= 0;
        const int events = poll(waiting.data(), waiting.size(),
                                has_ended     ? 0
                                : keeps_alive ? half_a_second
                                              : -1);
        if (events == 0 && keeps_alive && !has_ended)
            visor::debug::write_all(client_.out, "+");
        if (events < 0 && errno != EINTR)
            return;
        const auto has = [&](size_t which) { return events > 0 && waiting[which].revents != 0; };
        if (has(interrupts))
            interrupted();
        if (has(listener))
            accept_application();
        if (has(client))
            pass_from_client();
        if (has(application))
            pass_from_application();
        else if (has_ended)
            return;
        has_ended = has_ended || has(over);
    }
}

} // namespace visor::cli
