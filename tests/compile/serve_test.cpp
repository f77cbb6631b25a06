// The worker's side, in a child process.
#include "compile/serve.h"

#include "compile/protocol.h"

#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace visor::compile {
namespace {

// A child that takes one message and then does `work`; our end of its socket.
struct Child {
    pid_t process = -1;
    int socket = -1;
};

template <typename Work>
Child child_that(Work work) {
    std::array<int, 2> ends{};
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    const pid_t process = fork();
    if (process == 0) {
        alarm(20); // whatever goes wrong
        close(ends[0]);
        if (ends[1] != worker_socket) {
            dup2(ends[1], worker_socket);
            close(ends[1]);
        }
        const auto message = receive();
        if (!message)
            _exit(3);
        work(*message);
        _exit(4);
    }
    close(ends[1]);
    return {process, ends[0]};
}

void send_message(const Child& child) {
    const std::string bytes = encode({MessageKind::generate, {"a", "b"}});
    ASSERT_EQ(send(child.socket, bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
}

int end_of(const Child& child) {
    int status = 0;
    EXPECT_EQ(waitpid(child.process, &status, 0), child.process);
    return status;
}

TEST(Serve, WorkEndsWhenTheCallerHangsUp) {
    const Child child = child_that([](const Message&) {
        for (;;)
            pause();
    });
    send_message(child);
    usleep(100'000); // it is at work, or about to be: both ways it has to end
    close(child.socket);
    const int status = end_of(child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 2);
}

TEST(Serve, SoItDoesWhenTheCallerWasFaster) {
    const Child child = child_that([](const Message&) {
        for (;;)
            pause();
    });
    send_message(child);
    close(child.socket);
    const int status = end_of(child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 2);
}

// The signal of the request itself can come after the request was read.
TEST(Serve, ASignalAloneEndsNothing) {
    const Child child = child_that([](const Message&) {
        raise(SIGIO);
        _exit(reply({MessageKind::generated, {"c"}}) ? 0 : 5);
    });
    send_message(child);
    const std::string want = encode({MessageKind::generated, {"c"}});
    std::string got(want.size(), '\0');
    EXPECT_EQ(recv(child.socket, got.data(), got.size(), MSG_WAITALL), static_cast<ssize_t>(want.size()));
    EXPECT_EQ(got, want);
    EXPECT_EQ(end_of(child), 0);
    close(child.socket);
}

TEST(Serve, AnswersLargerThanTheSocketHoldsArriveWhole) {
    constexpr size_t bytes = 8U << 20U;
    const Child child = child_that([](const Message& message) {
        _exit(reply({MessageKind::generated, {std::string(bytes, message.fields.front().front())}}) ? 0 : 5);
    });
    send_message(child);
    const std::string want = encode({MessageKind::generated, {std::string(bytes, 'a')}});
    std::string got;
    std::array<char, 65536> part{};
    for (ssize_t count = 1; count > 0;) {
        count = recv(child.socket, part.data(), part.size(), 0);
        got.append(part.data(), count > 0 ? static_cast<size_t>(count) : 0);
    }
    EXPECT_EQ(end_of(child), 0);
    EXPECT_TRUE(got == want);
    close(child.socket);
}

TEST(Serve, ACutQuestionIsNone) {
    const Child child = child_that([](const Message&) {});
    ASSERT_EQ(send(child.socket, "vi", 2, MSG_NOSIGNAL), 2);
    close(child.socket);
    const int status = end_of(child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 3);
}

} // namespace
} // namespace visor::compile
