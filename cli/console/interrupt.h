// SIGINT and SIGTERM. While something can end in order the first one only asks for that, and the process
// dies of it when it is done, so that callers learn what ended it. At any other time, and a second time, it
// ends the process at once. One for the process: a handler of signals has nothing else to reach.
#pragma once

#include <atomic>
#include <sys/types.h>

namespace visor::cli::interrupt {

// Once, when the process begins. A signal that is ignored then stays so.
void listen();
// Whether one came.
[[nodiscard]] const std::atomic<bool>& came();
// At the end: dies of the one that came, if any.
void die_of_it();

// As long as it lives, what runs can end in order.
class Orderly {
public:
    Orderly();
    ~Orderly();
    Orderly(const Orderly&) = delete;
    Orderly& operator=(const Orderly&) = delete;
    Orderly(Orderly&&) = delete;
    Orderly& operator=(Orderly&&) = delete;
};

// As long as it lives, a process gets what we are sent: the first time that signal, from then on SIGKILL.
// What the terminal sends it has by itself.
class Forwarded {
public:
    explicit Forwarded(pid_t process);
    ~Forwarded();
    Forwarded(const Forwarded&) = delete;
    Forwarded& operator=(const Forwarded&) = delete;
    Forwarded(Forwarded&&) = delete;
    Forwarded& operator=(Forwarded&&) = delete;
};

} // namespace visor::cli::interrupt
