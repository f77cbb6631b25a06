#include "compile/worker.h"

#include "compile/descriptor.h"
#include "compile/process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace visor::compile {

namespace {

constexpr const char* name_of_workers = "visor-compile-worker"; // whichever it is

// The last output of a worker to its standard error.
class Errors {
public:
    Errors() = default;
    explicit Errors(Descriptor pipe) : pipe_(std::move(pipe)) {}

    [[nodiscard]] int descriptor() const { return pipe_.get(); } // -1: at its end
    // Does not wait.
    void read_some() {
        constexpr size_t most = 4096;
        std::array<char, most> buffer;
        const ssize_t got = read(pipe_.get(), buffer.data(), buffer.size());
        if (got > 0)
            text_.append(buffer.data(), static_cast<size_t>(got));
        else if (got == 0 || (errno != EAGAIN && errno != EINTR))
            pipe_.reset();
        if (text_.size() > 2 * most)
            text_.erase(0, text_.size() - most);
    }
    // Of a dead worker: reads everything.
    std::string rest() {
        constexpr int pipe_holds = 64; // buffers
        for (int i = 0; i < pipe_holds && pipe_.get() >= 0; ++i) {
            pollfd now{pipe_.get(), POLLIN, 0};
            if (poll(&now, 1, 0) <= 0) // its child still lives
                break;
            read_some();
        }
        return std::move(text_);
    }

private:
    Descriptor pipe_;
    std::string text_;
};

// A started worker. The destructor waits for its end.
class Worker {
public:
    Worker(Process process, Descriptor socket, Descriptor errors)
        : process_(std::move(process)), socket_(std::move(socket)), errors_(std::move(errors)) {}

    [[nodiscard]] int socket() const { return socket_.get(); }
    [[nodiscard]] Errors& errors() { return errors_; }
    // Of an idle worker: it is readable only when it has exited.
    [[nodiscard]] bool is_gone() const {
        pollfd now{socket_.get(), POLLIN, 0};
        return poll(&now, 1, 0) != 0;
    }

    // The wait status of a worker that closed its socket without an answer; -1: unknown. The destructor kills
    // it if it still lives.
    int end_status(Deadline deadline) {
        const Deadline patience =
            std::min(deadline, std::chrono::steady_clock::now() + std::chrono::seconds(2));
        return process_.end_before(patience).value_or(-1);
    }

private:
    Process process_;
    Descriptor socket_;
    Errors errors_;
};

// A connected pair, both close-on-exec, with numbers above the child's standard streams and socket.
bool connect_pair(Descriptor& ours, Descriptor& theirs) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return false;
    const Descriptor first(ends[0]);
    const Descriptor second(ends[1]);
    ours = Descriptor(fcntl(first.get(), F_DUPFD_CLOEXEC, worker_socket + 1));
    theirs = Descriptor(fcntl(second.get(), F_DUPFD_CLOEXEC, worker_socket + 1));
    return ours.get() >= 0 && theirs.get() >= 0 && fcntl(ours.get(), F_SETFL, O_NONBLOCK) == 0;
}

// Likewise a pipe with non-blocking reads.
bool connect_pipe(Descriptor& ours, Descriptor& theirs) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        return false;
    const Descriptor first(ends[0]);
    const Descriptor second(ends[1]);
    ours = Descriptor(fcntl(first.get(), F_DUPFD_CLOEXEC, worker_socket + 1));
    theirs = Descriptor(fcntl(second.get(), F_DUPFD_CLOEXEC, worker_socket + 1));
    return ours.get() >= 0 && theirs.get() >= 0 && fcntl(ours.get(), F_SETFL, O_NONBLOCK) == 0;
}

std::expected<Worker, WorkerFailure> start(const Command& command) {
    const auto failed = [](std::string message) {
        WorkerFailure failure;
        failure.message = std::move(message);
        return std::unexpected(std::move(failure));
    };
    Descriptor ours;
    Descriptor theirs;
    Descriptor errors;
    Descriptor their_errors;
    if (!connect_pair(ours, theirs) || !connect_pipe(errors, their_errors))
        return failed(fmt::format("no socket for the compile worker: {}", strerror(errno)));
    std::vector<std::string> arguments{name_of_workers};
    arguments.insert(arguments.end(), command.arguments.begin(), command.arguments.end());
    auto process = Process::start(command.program, std::move(arguments), theirs.get(), their_errors.get());
    if (!process)
        return failed(fmt::format("cannot start `{}`: {}", command.program, strerror(process.error())));
    return Worker(std::move(*process), std::move(ours), std::move(errors));
}

// One exchange: unsent and received bytes.
struct Exchange {
    std::string outgoing;
    size_t sent = 0;
    std::string incoming;
    size_t expected = header_bytes;
    bool header_read = false;
    bool closed = false; // by the worker, or because of an invalid message

    [[nodiscard]] bool complete() const { return header_read && incoming.size() == expected; }
    [[nodiscard]] std::span<const char, header_bytes> header() const {
        return std::span<const char, header_bytes>(incoming.data(), header_bytes);
    }
};

bool would_block() {
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

void send_some(int socket, Exchange& exchange) {
    const ssize_t put = send(socket, exchange.outgoing.data() + exchange.sent,
                             exchange.outgoing.size() - exchange.sent, MSG_NOSIGNAL);
    if (put > 0)
        exchange.sent += static_cast<size_t>(put);
    else if (!would_block())
        exchange.sent = exchange.outgoing.size(); // it will not read more; its wait status has the reason
}

void receive_some(int socket, Exchange& exchange) {
    std::array<char, 65536> buffer;
    const size_t limit = std::min(buffer.size(), exchange.expected - exchange.incoming.size());
    const ssize_t got = recv(socket, buffer.data(), limit, 0);
    if (got > 0)
        exchange.incoming.append(buffer.data(), static_cast<size_t>(got));
    else if (got == 0 || !would_block())
        exchange.closed = true;
    if (!exchange.header_read && exchange.incoming.size() == header_bytes) {
        const std::optional<uint64_t> body = body_bytes(exchange.header());
        exchange.header_read = body.has_value();
        exchange.closed = !body;
        exchange.expected = header_bytes + body.value_or(0);
    }
}

// Polls once, up to a timeout, and sends and receives. False: nothing was ready.
bool advance(Worker& worker, Exchange& exchange, std::chrono::milliseconds patience) {
    const bool sending = exchange.sent < exchange.outgoing.size();
    constexpr short gone_or_here = POLLIN | POLLHUP | POLLERR;
    // poll() ignores a descriptor of -1.
    std::array<pollfd, 2> wait{{{worker.socket(), static_cast<short>(sending ? POLLIN | POLLOUT : POLLIN), 0},
                                {worker.errors().descriptor(), POLLIN, 0}}};
    if (poll(wait.data(), wait.size(), static_cast<int>(patience.count())) <= 0)
        return false;
    if (sending && (wait[0].revents & POLLOUT) != 0)
        send_some(worker.socket(), exchange);
    if ((wait[0].revents & gone_or_here) != 0)
        receive_some(worker.socket(), exchange);
    if ((wait[1].revents & gone_or_here) != 0)
        worker.errors().read_some();
    return true;
}

std::string describe_end(int status, std::string_view who) {
    if (status != -1 && WIFSIGNALED(status)) {
        const int signal = WTERMSIG(status);
        if (signal == SIGXCPU)
            return fmt::format("{} took too long", who);
        const char* name = sigabbrev_np(signal);
        if (is_interrupt(signal))
            return fmt::format("{} was interrupted (SIG{})", who, name != nullptr ? name : "?");
        const std::string_view reason = signal == SIGKILL ? ", perhaps for want of memory" : "";
        return fmt::format("{} crashed (SIG{}{})", who, name != nullptr ? name : "?", reason);
    }
    if (status != -1 && WIFEXITED(status))
        return fmt::format("{}'s process ended without an answer (exit status {})", who, WEXITSTATUS(status));
    return fmt::format("{}'s process ended without an answer", who);
}

class WorkerInquiry final : public Inquiry {
public:
    WorkerInquiry(Worker worker, const Message& question, Deadline deadline, std::string_view who)
        : worker_(std::move(worker)), exchange_{.outgoing = encode(question)}, deadline_(deadline),
          who_(who) {
        // Most requests fit into the socket's buffer: the worker begins at once.
        advance(worker_, exchange_, std::chrono::milliseconds(0));
    }

    Answer answer(Patience patience) override {
        return answer_before(patience == when_it_comes ? Deadline::max() : Deadline::min());
    }

    Answer answer_before(Deadline moment) override {
        using std::chrono::milliseconds;
        if (owner_ != getpid()) // in a forked child: the answer belongs to the parent
            return std::unexpected(
                failure(WorkerFailure::Kind::died, fmt::format("{} works for the parent process", who_)));
        while (!exchange_.complete() && !exchange_.closed) {
            const Deadline now = std::chrono::steady_clock::now();
            if (now >= deadline_)
                return std::unexpected(
                    failure(WorkerFailure::Kind::time_limit, fmt::format("{} took too long", who_)));
            const bool waits = now < moment;
            milliseconds patience{0};
            if (waits)
                patience = std::min(std::chrono::ceil<milliseconds>(std::min(deadline_, moment) - now),
                                    milliseconds(60'000));
            // The loop checks the time again; EINTR needs no handling.
            if (!advance(worker_, exchange_, patience) && !waits)
                return std::nullopt;
        }
        return outcome();
    }

private:
    static WorkerFailure failure(WorkerFailure::Kind kind, std::string message) {
        WorkerFailure out;
        out.kind = kind;
        out.message = std::move(message);
        return out;
    }

    std::expected<Message, WorkerFailure> outcome() {
        using Kind = WorkerFailure::Kind;
        if (!exchange_.complete()) {
            const int status = worker_.end_status(deadline_);
            WorkerFailure died = failure(Kind::died, describe_end(status, who_));
            died.status = status;
            died.errors = worker_.errors().rest();
            return std::unexpected(std::move(died));
        }
        const std::span<const char> all(exchange_.incoming);
        if (std::optional<Message> answer = decode(exchange_.header(), all.subspan(header_bytes)))
            return std::move(*answer);
        return std::unexpected(failure(Kind::died, fmt::format("{}'s process sent a damaged answer", who_)));
    }

    Worker worker_;
    Exchange exchange_;
    Deadline deadline_;
    std::string who_;
    pid_t owner_ = getpid();
};

} // namespace

bool is_interrupt(int signal) {
    return signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
}

std::expected<std::unique_ptr<Inquiry>, WorkerFailure>
start_inquiry(const Command& command, const Message& question, Deadline deadline, std::string_view who) {
    std::expected<Worker, WorkerFailure> worker = start(command);
    if (!worker)
        return std::unexpected(worker.error());
    return std::make_unique<WorkerInquiry>(std::move(*worker), question, deadline, who);
}

struct Standby::Waiting {
    Command command;
    Worker worker;
    Deadline since;
    pid_t owner; // a forked child starts its own workers

    // Well below the worker's idle timeout.
    [[nodiscard]] bool is_good(const Command& wanted) const {
        return command == wanted && owner == getpid() && !worker.is_gone() &&
               std::chrono::steady_clock::now() - since < std::chrono::seconds(patience_seconds) / 2;
    }
};

Standby::Standby() = default;
Standby::~Standby() = default;

void Standby::prepare(const Command& command) {
    const std::lock_guard lock(mutex_);
    if (waiting_ != nullptr && waiting_->is_good(command))
        return;
    waiting_.reset();
    if (std::expected<Worker, WorkerFailure> worker = start(command))
        waiting_ = std::make_unique<Waiting>(command, std::move(*worker), std::chrono::steady_clock::now(),
                                             getpid());
}

std::expected<std::unique_ptr<Inquiry>, WorkerFailure> Standby::start_inquiry(const Command& command,
                                                                              const Message& question,
                                                                              Deadline deadline,
                                                                              std::string_view who) {
    std::unique_ptr<Waiting> ready;
    {
        const std::lock_guard lock(mutex_);
        ready = std::move(waiting_);
    }
    if (ready == nullptr || !ready->is_good(command))
        return compile::start_inquiry(command, question, deadline, who);
    return std::make_unique<WorkerInquiry>(std::move(ready->worker), question, deadline, who);
}

std::expected<Message, WorkerFailure> ask_worker(const Command& command, const Message& question,
                                                 Deadline deadline, std::string_view who) {
    const auto inquiry = start_inquiry(command, question, deadline, who);
    if (!inquiry)
        return std::unexpected(inquiry.error());
    return *(*inquiry)->answer(Inquiry::when_it_comes);
}

} // namespace visor::compile
