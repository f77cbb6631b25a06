#include "compile/serve.h"

#include "compile/sanitized.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

namespace visor::compile {

namespace {

bool read_all(char* into, size_t bytes) {
    while (bytes > 0) {
        const ssize_t got = recv(worker_socket, into, bytes, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        into += got;
        bytes -= static_cast<size_t>(got);
    }
    return true;
}

// Async-signal-safe.
void end_if_caller_is_gone(int /*signal*/) {
    const int error = errno;
    pollfd now{worker_socket, POLLRDHUP, 0};
    if (poll(&now, 1, 0) > 0)
        _exit(2);
    errno = error;
}

// Ends the process when the caller closes its end, or dies. (PR_SET_PDEATHSIG would act at the end of the
// caller's thread.) SIGIO says that something happened on the socket: it can also be the request, which the
// kernel makes readable before it sends the signal.
void end_with_caller(bool wanted) {
    struct sigaction action{};
    action.sa_handler = end_if_caller_is_gone;
    action.sa_flags = SA_RESTART;
    sigaction(SIGIO, &action, nullptr);
    const int flags = fcntl(worker_socket, F_GETFL);
    fcntl(worker_socket, F_SETOWN, getpid());
    fcntl(worker_socket, F_SETFL, wanted ? flags | O_ASYNC : flags & ~O_ASYNC);
    if (wanted)
        end_if_caller_is_gone(SIGIO);
}

} // namespace

bool is_called() {
    pollfd now{worker_socket, POLLIN, 0};
    return poll(&now, 1, 0) > 0;
}

std::optional<Message> receive() {
    std::array<char, header_bytes> header{};
    pollfd question{worker_socket, POLLIN, 0};
    if (poll(&question, 1, patience_seconds * 1000) <= 0 || !read_all(header.data(), header.size()))
        return std::nullopt;
    const std::optional<uint64_t> bytes = body_bytes(header);
    if (!bytes)
        return std::nullopt;
    std::vector<char> body(*bytes);
    if (!read_all(body.data(), body.size()))
        return std::nullopt;
    auto message = decode(header, body);
    end_with_caller(true);
    return message;
}

bool reply(const Message& message) {
    const std::string bytes = encode(message);
    end_with_caller(false); // reading by the caller would raise the signal, too
    size_t sent = 0;
    while (sent < bytes.size()) {
        const ssize_t put = send(worker_socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        sent += static_cast<size_t>(put);
    }
    return true;
}

void limit_cpu_time(double seconds) {
    const auto soft = static_cast<rlim_t>(std::ceil(seconds));
    const rlimit limit{soft, soft + 1};
    setrlimit(RLIMIT_CPU, &limit);
}

void end_after_cpu_time(double seconds) {
    sigevent how{};
    how.sigev_notify = SIGEV_SIGNAL;
    how.sigev_signo = SIGXCPU;
    timer_t timer{};
    if (timer_create(CLOCK_PROCESS_CPUTIME_ID, &how, &timer) != 0)
        return limit_cpu_time(seconds);
    constexpr double longest = 1e9;
    const double whole = std::floor(std::min(seconds, longest));
    itimerspec when{};
    when.it_value.tv_sec = static_cast<time_t>(whole);
    when.it_value.tv_nsec = std::max(1L, static_cast<long>((std::min(seconds, longest) - whole) * 1e9));
    timer_settime(timer, 0, &when, nullptr);
    limit_cpu_time(whole + 2); // if the compiler handles SIGXCPU
}

void limit_memory(uint64_t bytes) {
    const rlim_t most = is_sanitized ? RLIM_INFINITY : bytes;
    const rlimit limit{most, most};
    setrlimit(RLIMIT_DATA, &limit);
}

bool settle(Prints prints) {
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0)
        return false;
    const bool tells = prints == Prints::to_caller; // the caller reads standard error (worker.cpp)
    if (dup2(null, STDIN_FILENO) < 0 || dup2(tells ? STDERR_FILENO : null, STDOUT_FILENO) < 0 ||
        (!tells && dup2(null, STDERR_FILENO) < 0))
        return false;
    if (null > worker_socket)
        close(null);
    fcntl(worker_socket, F_SETFD, FD_CLOEXEC);
    return chdir("/proc/self/fdinfo") == 0;
}

} // namespace visor::compile
