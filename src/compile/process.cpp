#include "compile/process.h"

#include "compile/protocol.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace visor::compile {

namespace {

using Clock = std::chrono::steady_clock;

// C libraries older than 2.36 have neither of these.
int open_process(pid_t process) {
    return static_cast<int>(syscall(SYS_pidfd_open, process, 0));
}

void send_kill(int process) {
    syscall(SYS_pidfd_send_signal, process, SIGKILL, nullptr, 0);
}

int wait_for(int process, siginfo_t& how, int options) {
    constexpr auto by_descriptor = static_cast<idtype_t>(3); // P_PIDFD
    int result = 0;
    do {
        how = {};
        result = waitid(by_descriptor, static_cast<id_t>(process), &how, options);
    } while (result != 0 && errno == EINTR);
    return result;
}

// Converts to waitpid()'s status.
int status_of(const siginfo_t& how) {
    constexpr int core_bit = 0x80;
    if (how.si_code == CLD_EXITED)
        return (how.si_status & 0xff) << 8;
    return how.si_status | (how.si_code == CLD_DUMPED ? core_bit : 0);
}

int spawn(pid_t& process, const std::string& program, std::vector<std::string>& given, int socket,
          int errors) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, socket, worker_socket);
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    posix_spawn_file_actions_addclosefrom_np(&actions, worker_socket + 1);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
    std::vector<char*> arguments;
    for (std::string& argument : given)
        arguments.push_back(argument.data());
    arguments.push_back(nullptr);
    const int error =
        posix_spawn(&process, program.c_str(), &actions, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

} // namespace

std::expected<Process, int> Process::start(const std::string& program, std::vector<std::string> arguments,
                                           int socket, int errors) {
    pid_t number = -1;
    if (const int error = spawn(number, program, arguments, socket, errors); error != 0)
        return std::unexpected(error);
    Descriptor descriptor(open_process(number));
    const int error = errno;
    // Another thread that waits for any child may have reaped it; its number may then belong to another
    // process, which is no child.
    siginfo_t how{};
    if (descriptor.is_open() && wait_for(descriptor.get(), how, WEXITED | WNOWAIT | WNOHANG) == 0)
        return Process(std::move(descriptor), getpid());
    // Without a descriptor it exits when it sees its socket closed.
    return std::unexpected(descriptor.is_open() ? ECHILD : error);
}

Process::~Process() {
    if (!descriptor_.is_open() || owner_ != getpid())
        return;
    send_kill(descriptor_.get());
    siginfo_t how{};
    wait_for(descriptor_.get(), how, WEXITED);
}

std::optional<int> Process::end_before(Clock::time_point moment) {
    using std::chrono::milliseconds;
    siginfo_t how{};
    int waited = 0;
    while ((waited = wait_for(descriptor_.get(), how, WEXITED | WNOHANG)) == 0 && how.si_pid == 0) {
        const Clock::time_point now = Clock::now();
        if (now >= moment)
            return std::nullopt;
        const auto left = std::min(std::chrono::ceil<milliseconds>(moment - now), milliseconds(60'000));
        pollfd end{descriptor_.get(), POLLIN, 0};
        poll(&end, 1, static_cast<int>(left.count()));
    }
    descriptor_.reset();
    return waited == 0 ? status_of(how) : -1;
}

} // namespace visor::compile
