#include "cli/verbs/predicate_command.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace visor::cli {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::string_view placeholder = "{}";

std::vector<std::string> with_file(std::vector<std::string> words, const std::string& file) {
    bool named = false;
    for (std::string& word : words) {
        for (size_t at = 0; (at = word.find(placeholder, at)) != std::string::npos; at += file.size()) {
            word.replace(at, placeholder.size(), file);
            named = true;
        }
    }
    if (!named)
        words.push_back(file);
    return words;
}

// The errno of starting it; 0: none.
int spawn(pid_t& process, std::vector<std::string>& words, bool shown) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    const int last = shown ? STDIN_FILENO : STDERR_FILENO;
    for (int stream = STDIN_FILENO; stream <= last; ++stream)
        posix_spawn_file_actions_addopen(&actions, stream, "/dev/null",
                                         stream == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const int problem =
        posix_spawnp(&process, arguments[0], &actions, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return problem;
}

// Until it ends, `end` comes or the user interrupts; how often one looks for the latter is below what a
// person notices. The process is not reaped, so that its number stays its own.
void wait_for(pid_t process, Clock::time_point end, const std::atomic<bool>& interrupted) {
    constexpr milliseconds slice(100);
    const int descriptor = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
    pollfd ended{descriptor, POLLIN, 0};
    while (!interrupted.load() && Clock::now() < end) {
        const auto left = std::chrono::ceil<milliseconds>(end - Clock::now());
        const auto time = std::clamp(left, milliseconds(0), slice);
        if (poll(&ended, 1, static_cast<int>(time.count())) > 0)
            break;
    }
    if (descriptor >= 0)
        close(descriptor);
}

} // namespace

PredicateCommand::PredicateCommand(std::vector<std::string> words, double seconds,
                                   const std::atomic<bool>& interrupted)
    : words_(std::move(words)), seconds_(seconds), interrupted_(interrupted) {}

std::expected<CommandEnd, std::string> PredicateCommand::ask(const std::string& file, bool shown) const {
    std::vector<std::string> words = with_file(words_, file);
    pid_t process = 0;
    if (const int problem = spawn(process, words, shown); problem != 0)
        return std::unexpected(fmt::format("`{}` cannot be started: {}", words[0], std::strerror(problem)));
    // No clock reaches further than 30 years.
    constexpr double most_seconds = 1e9;
    const double seconds = seconds_ == 0 ? most_seconds : std::min(seconds_, most_seconds);
    const Clock::time_point end =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    wait_for(process, end, interrupted_);
    // What it left behind ends with it, before it is reaped: until then its number is its own.
    siginfo_t ended{};
    const bool over = waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
                      ended.si_pid == process;
    kill(-process, SIGKILL);
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    if (interrupted_.load())
        return CommandEnd::interrupted;
    if (!over)
        return CommandEnd::late;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? CommandEnd::yes : CommandEnd::no;
}

} // namespace visor::cli
