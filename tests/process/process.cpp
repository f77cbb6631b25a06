#include "process/process.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <poll.h>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace visor::test {

namespace {

struct Pipe {
    std::array<int, 2> ends{-1, -1};
    Pipe() {
        // Not for the children that other threads start meanwhile: they would keep the stream open.
        if (pipe2(ends.data(), O_CLOEXEC) != 0)
            throw std::runtime_error("pipe2");
    }
    void close_end(size_t which) {
        if (ends[which] >= 0)
            close(ends[which]);
        ends[which] = -1;
    }
    ~Pipe() {
        close_end(0);
        close_end(1);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    Pipe(Pipe&&) = delete;
    Pipe& operator=(Pipe&&) = delete;
};

[[noreturn]] void become(const std::vector<std::string>& arguments,
                         const std::vector<std::pair<std::string, std::string>>& environment, const Pipe& in,
                         const Pipe& out, const Pipe& err) {
    dup2(in.ends[0], 0);
    dup2(out.ends[1], 1);
    dup2(err.ends[1], 2);
    for (const Pipe* pipe : {&in, &out, &err}) {
        close(pipe->ends[0]);
        close(pipe->ends[1]);
    }
    for (const auto& [name, value] : environment)
        setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> argv;
    for (const std::string& argument : arguments)
        argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    _exit(127);
}

// False at the end of the stream.
bool drain(int fd, std::string& into) {
    std::array<char, 65536> buffer{};
    const ssize_t count = read(fd, buffer.data(), buffer.size());
    if (count > 0)
        into.append(buffer.data(), static_cast<size_t>(count));
    return count > 0 || (count < 0 && errno == EINTR);
}

// Feeds and reads the child until both its streams are closed; false when the time was up first.
bool converse(Pipe& in, Pipe& out, Pipe& err, const std::string& input, int seconds, Finished& finished) {
    size_t written = 0;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    while (out.ends[0] >= 0 || err.ends[0] >= 0) {
        if (written == input.size())
            in.close_end(1);
        std::array<pollfd, 3> fds{
            {{out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}, {in.ends[1], POLLOUT, 0}}};
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        if (left.count() <= 0 || poll(fds.data(), fds.size(), static_cast<int>(left.count())) == 0)
            return false;
        if (fds[0].revents != 0 && !drain(out.ends[0], finished.out))
            out.close_end(0);
        if (fds[1].revents != 0 && !drain(err.ends[0], finished.err))
            err.close_end(0);
        if (fds[2].revents != 0) {
            const ssize_t count = write(in.ends[1], input.data() + written, input.size() - written);
            written = count < 0 ? input.size() : written + static_cast<size_t>(count);
        }
    }
    return true;
}

} // namespace

Finished run(const std::vector<std::string>& arguments,
             const std::vector<std::pair<std::string, std::string>>& environment, const std::string& input,
             int seconds) {
    std::signal(SIGPIPE, SIG_IGN);
    Pipe in;
    Pipe out;
    Pipe err;
    const pid_t child = fork();
    if (child < 0)
        throw std::runtime_error("fork");
    if (child == 0)
        become(arguments, environment, in, out, err);
    in.close_end(0);
    out.close_end(1);
    err.close_end(1);

    Finished finished;
    if (!converse(in, out, err, input, seconds, finished))
        kill(child, SIGKILL);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    finished.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return finished;
}

TemporaryFolder::TemporaryFolder() {
    std::string name = std::filesystem::temp_directory_path() / "visor-test-XXXXXX";
    if (mkdtemp(name.data()) == nullptr)
        throw std::runtime_error("mkdtemp");
    path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::string read_file(const std::string& path) {
    const std::ifstream file(path, std::ios::binary);
    if (!file)
        throw std::runtime_error("cannot read " + path);
    std::ostringstream content;
    content << file.rdbuf();
    return content.str();
}

void write_file(const std::string& path, const std::string& content) {
    std::ofstream file(path, std::ios::binary);
    file << content;
    if (!file.flush())
        throw std::runtime_error("cannot write " + path);
}

} // namespace visor::test
