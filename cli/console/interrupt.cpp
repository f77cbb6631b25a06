#include "cli/console/interrupt.h"

#include <array>
#include <cerrno>
#include <csignal>

namespace visor::cli::interrupt {

namespace {

std::atomic<bool> has_come{false};
std::atomic<int> which{0};
std::atomic<int> orderly{0}; // what can end in order
std::atomic<pid_t> receiver{0};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

constexpr std::array signals{SIGINT, SIGTERM};

void die_of(int signal) {
    std::signal(signal, SIG_DFL);
    std::raise(signal); // delivered when the handler returns
}

extern "C" void on_interrupt(int signal, siginfo_t* info, void* /*context*/) {
    const int before = errno;
    which.store(signal);
    const bool again = has_come.exchange(true);
    const pid_t process = receiver.load();
    if (process != 0 && info->si_code != SI_KERNEL)
        kill(process, again ? SIGKILL : signal);
    if (process == 0 && (again || orderly.load() == 0))
        die_of(signal);
    errno = before;
}

} // namespace

void listen() {
    for (const int signal : signals) {
        struct sigaction former{};
        if (sigaction(signal, nullptr, &former) != 0 || former.sa_handler == SIG_IGN)
            continue;
        struct sigaction action{};
        action.sa_sigaction = on_interrupt;
        action.sa_flags = static_cast<int>(SA_SIGINFO);
        sigaction(signal, &action, nullptr);
    }
}

const std::atomic<bool>& came() {
    return has_come;
}

void die_of_it() {
    if (has_come.load())
        die_of(which.load());
}

Orderly::Orderly() {
    ++orderly;
}
Orderly::~Orderly() {
    --orderly;
}

Forwarded::Forwarded(pid_t process) {
    receiver.store(process);
    if (has_come.load()) // between its start and here
        kill(process, which.load());
}
Forwarded::~Forwarded() {
    receiver.store(0);
}

} // namespace visor::cli::interrupt
