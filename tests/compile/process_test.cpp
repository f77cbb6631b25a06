#include "compile/process.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/wait.h>

namespace visor::compile {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// A shell; what it writes to standard error comes back.
struct Shell {
    explicit Shell(const std::string& script) {
        std::array<int, 2> ends{};
        EXPECT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
        output = Descriptor(ends[0]);
        const Descriptor input(fcntl(ends[1], F_DUPFD_CLOEXEC, 10));
        close(ends[1]);
        const Descriptor null(fcntl(open("/dev/null", O_RDWR | O_CLOEXEC), F_DUPFD_CLOEXEC, 10));
        process = Process::start("/bin/sh", {"sh", "-c", script}, null.get(), input.get());
        EXPECT_TRUE(process) << strerror(process.error());
    }
    [[nodiscard]] std::string said() const {
        std::string text;
        char part[256];
        for (ssize_t got = 0; (got = read(output.get(), part, sizeof part)) > 0;)
            text.append(part, static_cast<size_t>(got));
        return text;
    }

    Descriptor output;
    std::expected<Process, int> process = std::unexpected(0);
};

TEST(Process, TellsHowItEnded) {
    EXPECT_EQ(Shell("exit 7").process->end_before(Clock::now() + 20s), 7 << 8);
    EXPECT_EQ(Shell("kill -TERM $$").process->end_before(Clock::now() + 20s), SIGTERM);
}

TEST(Process, ItsEndIsAwaitedNoLongerThanAsked) {
    Shell shell("exec sleep 1000");
    const auto start = Clock::now();
    EXPECT_EQ(shell.process->end_before(start + 100ms), std::nullopt);
    EXPECT_LT(Clock::now() - start, 10s);
}

TEST(Process, EndsWithTheObject) {
    {
        const Shell shell("exec sleep 1000");
    }
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a zombie is left";
    EXPECT_EQ(errno, ECHILD);
}

// Its number may be another process's from then on: nothing is done to that.
TEST(Process, SomebodyElseMayWaitForIt) {
    Shell shell("exit 3");
    EXPECT_GT(waitpid(-1, nullptr, 0), 0);
    EXPECT_EQ(shell.process->end_before(Clock::now() + 20s), -1);
}

TEST(Process, AForkedProcessLeavesItAlone) {
    Shell shell("exec sleep 1000");
    const pid_t child = fork();
    if (child == 0) {
        shell.process = std::unexpected(0); // its destructor runs
        _exit(0);
    }
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
    EXPECT_EQ(shell.process->end_before(Clock::now() + 100ms), std::nullopt) << "it lives";
}

TEST(Process, HasNoFilesOfOursAndASessionOfItsOwn) {
    const Descriptor left_open(fcntl(open("/dev/null", O_RDONLY), F_DUPFD, 20)); // for every child
    const Shell shell("ls /proc/self/fd | wc -w >&2");
    const std::string said = shell.said();
    // Three standard streams, the protocol's, and the folder that ls looks at.
    EXPECT_TRUE(said.starts_with("5\n")) << said;
    const Shell session("read -r a b c d e f rest < /proc/$$/stat; echo $a $e $f >&2");
    std::istringstream numbers(session.said());
    int pid = 0;
    int group = 0;
    int own = -1;
    numbers >> pid >> group >> own;
    EXPECT_EQ(pid, group);
    EXPECT_EQ(pid, own);
}

TEST(Process, ThatCannotBeStartedIsTold) {
    const Descriptor null(fcntl(open("/dev/null", O_RDWR | O_CLOEXEC), F_DUPFD_CLOEXEC, 10));
    const auto process = Process::start("/nowhere/program", {"program"}, null.get(), null.get());
    ASSERT_FALSE(process);
    EXPECT_EQ(process.error(), ENOENT);
}

} // namespace
} // namespace visor::compile
