#include "compile/worker.h"
#include "scratch_folder.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sys/wait.h>
#include <thread>

namespace visor::compile {
namespace {

using namespace std::chrono_literals;

// Shell scripts stand in for a worker that goes wrong.
WorkerFailure failure_of(std::string_view script, std::chrono::milliseconds limit = 20s) {
    const ScratchFolder folder;
    const std::string program = folder.write_program("worker", std::string("#!/bin/sh\n").append(script));
    const auto answer =
        ask_worker(program, {MessageKind::describe, {}}, std::chrono::steady_clock::now() + limit);
    EXPECT_FALSE(answer);
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a zombie is left";
    EXPECT_EQ(errno, ECHILD);
    return answer ? WorkerFailure{} : answer.error();
}

TEST(Worker, ACrashIsToldBySignal) {
    const WorkerFailure failure = failure_of("kill -ABRT $$\n");
    EXPECT_EQ(failure.kind, WorkerFailure::Kind::died);
    EXPECT_EQ(failure.message, "the OpenCL compiler crashed (SIGABRT)");
}

TEST(Worker, AnExitWithoutAnswerIsTold) {
    const WorkerFailure failure = failure_of("exit 7\n");
    EXPECT_EQ(failure.kind, WorkerFailure::Kind::died);
    EXPECT_EQ(failure.message, "the OpenCL compiler's process ended without an answer (exit status 7)");
}

TEST(Worker, WhatAWorkerSaysBeforeItDiesIsKept) {
    const WorkerFailure failure = failure_of("echo 'LLVM ERROR: no more registers' >&2\nkill -ABRT $$\n");
    EXPECT_EQ(failure.kind, WorkerFailure::Kind::died);
    EXPECT_EQ(failure.errors, "LLVM ERROR: no more registers\n");
    EXPECT_TRUE(WIFSIGNALED(failure.status));
    EXPECT_EQ(WTERMSIG(failure.status), SIGABRT);
}

TEST(Worker, OfMuchTheEndIsKept) {
    // Far more than a pipe holds: it is read while the worker works.
    const WorkerFailure failure =
        failure_of("i=0\nwhile [ $i -lt 30000 ]; do echo a line $i; i=$((i+1)); done >&2\nexit 1\n");
    EXPECT_EQ(failure.kind, WorkerFailure::Kind::died);
    EXPECT_LE(failure.errors.size(), 12288U);
    EXPECT_TRUE(failure.errors.ends_with("a line 29998\na line 29999\n")) << failure.errors;
}

TEST(Worker, AProcessThatItLeavesBehindKeepsNobodyWaiting) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(failure_of("exec 3>&-\nsleep 30 >/dev/null &\necho gone >&2\nexit 1\n").errors, "gone\n");
    EXPECT_LT(std::chrono::steady_clock::now() - start, 20s);
}

TEST(Worker, TimeIsLimited) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(failure_of("exec sleep 1000\n", 200ms).kind, WorkerFailure::Kind::time_limit);
    EXPECT_LT(std::chrono::steady_clock::now() - start, 10s);
}

TEST(Worker, NonsenseEndsTheTalk) {
    EXPECT_EQ(failure_of("echo this is no answer of ours, not at all >&3\nexec sleep 1000\n").kind,
              WorkerFailure::Kind::died);
}

TEST(Worker, ACutAnswerIsNoAnswer) {
    // A header that announces 255 bytes, and 4 of them.
    EXPECT_EQ(
        failure_of("printf 'VsW1\\004\\000\\000\\000\\377\\000\\000\\000\\000\\000\\000\\000abcd' >&3\n")
            .kind,
        WorkerFailure::Kind::died);
}

TEST(Worker, MissingProgramIsTold) {
    const auto answer = ask_worker(Command("/nowhere/worker"), {MessageKind::describe, {}}, Deadline::max());
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().kind, WorkerFailure::Kind::not_started);
    EXPECT_EQ(answer.error().message, "cannot start `/nowhere/worker`: No such file or directory");
}

TEST(Worker, ALongQuestionToADeafWorkerDoesNotHang) {
    const ScratchFolder folder;
    const std::string program = folder.write_program("worker", "#!/bin/sh\nexit 3\n");
    const auto answer = ask_worker(program, {MessageKind::build, {std::string(8 << 20, 'x')}},
                                   std::chrono::steady_clock::now() + 20s);
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().kind, WorkerFailure::Kind::died);
}

TEST(Inquiry, NobodyWaitsUnlessAsked) {
    const ScratchFolder folder;
    const std::string program = folder.write_program("worker", "#!/bin/sh\nsleep 0.3\nkill -ABRT $$\n");
    const auto inquiry =
        start_inquiry(program, {MessageKind::describe, {}}, std::chrono::steady_clock::now() + 20s);
    ASSERT_TRUE(inquiry);
    const auto start = std::chrono::steady_clock::now();
    EXPECT_FALSE((*inquiry)->answer(Inquiry::at_once));
    EXPECT_LT(std::chrono::steady_clock::now() - start, 250ms);
    const auto answer = (*inquiry)->answer(Inquiry::when_it_comes);
    ASSERT_TRUE(answer);
    ASSERT_FALSE(*answer);
    EXPECT_EQ(answer->error().message, "the OpenCL compiler crashed (SIGABRT)");
}

TEST(Inquiry, WaitsNoLongerThanAsked) {
    const ScratchFolder folder;
    const std::string program = folder.write_program("worker", "#!/bin/sh\nexec sleep 1000\n");
    const auto start = std::chrono::steady_clock::now();
    const auto inquiry = start_inquiry(program, {MessageKind::describe, {}}, start + 20s);
    ASSERT_TRUE(inquiry);
    EXPECT_FALSE((*inquiry)->answer_before(start + 200ms));
    EXPECT_GE(std::chrono::steady_clock::now() - start, 200ms);
    EXPECT_LT(std::chrono::steady_clock::now() - start, 10s);
}

TEST(Inquiry, ItsTimeIsUpWithoutWaiting) {
    const ScratchFolder folder;
    const std::string program = folder.write_program("worker", "#!/bin/sh\nexec sleep 1000\n");
    const auto inquiry =
        start_inquiry(program, {MessageKind::describe, {}}, std::chrono::steady_clock::now() - 1s);
    ASSERT_TRUE(inquiry);
    const auto answer = (*inquiry)->answer(Inquiry::at_once);
    ASSERT_TRUE(answer);
    ASSERT_FALSE(*answer);
    EXPECT_EQ(answer->error().kind, WorkerFailure::Kind::time_limit);
}

TEST(Inquiry, TheWorkerEndsWithIt) {
    const ScratchFolder folder;
    const std::string program = folder.write_program("worker", "#!/bin/sh\nexec sleep 1000\n");
    auto inquiry =
        start_inquiry(program, {MessageKind::describe, {}}, std::chrono::steady_clock::now() + 20s);
    ASSERT_TRUE(inquiry);
    inquiry->reset();
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a zombie is left";
    EXPECT_EQ(errno, ECHILD);
}

// A worker that says in a file that it has begun, and then does as `after` says.
class Beginners {
public:
    explicit Beginners(const std::string& after)
        : program_(folder_.write_program("worker", "#!/bin/sh\necho >> " + log() + "\n" + after + "\n")) {}

    [[nodiscard]] const std::string& program() const { return program_; }
    // Waits for the first of so many.
    [[nodiscard]] bool have_begun(size_t count) const {
        for (int i = 0; i < 500 && begun() < count; ++i)
            std::this_thread::sleep_for(10ms);
        return begun() == count;
    }
    [[nodiscard]] std::expected<std::unique_ptr<Inquiry>, WorkerFailure> ask(Standby& standby) const {
        return standby.start_inquiry(program_, {MessageKind::describe, {}},
                                     std::chrono::steady_clock::now() + 20s, "it");
    }

private:
    [[nodiscard]] std::string log() const { return (folder_.path() / "log").string(); }
    [[nodiscard]] size_t begun() const {
        std::ifstream file(log());
        return static_cast<size_t>(std::count(std::istreambuf_iterator<char>(file), {}, '\n'));
    }
    ScratchFolder folder_;
    std::string program_;
};

TEST(Standby, TheQuestionGoesToTheOneThatWaits) {
    const Beginners workers("exec sleep 1000");
    Standby standby;
    standby.prepare(workers.program());
    standby.prepare(workers.program());
    ASSERT_TRUE(workers.have_begun(1));
    EXPECT_TRUE(workers.ask(standby));
    std::this_thread::sleep_for(100ms);
    EXPECT_TRUE(workers.have_begun(1));
    const auto another = workers.ask(standby);
    EXPECT_TRUE(workers.have_begun(2));
}

TEST(Standby, OneThatIsGoneIsReplaced) {
    const Beginners workers("exit 0");
    Standby standby;
    standby.prepare(workers.program());
    ASSERT_TRUE(workers.have_begun(1));
    std::this_thread::sleep_for(200ms);
    const auto inquiry = workers.ask(standby);
    EXPECT_TRUE(workers.have_begun(2));
}

TEST(Standby, OfAnotherProgramItIsOfNoUse) {
    const Beginners workers("exec sleep 1000");
    const Beginners others("exec sleep 1000");
    Standby standby;
    standby.prepare(workers.program());
    ASSERT_TRUE(workers.have_begun(1));
    const auto inquiry = others.ask(standby);
    EXPECT_TRUE(others.have_begun(1));
}

TEST(Standby, TheOneThatWaitsEndsWithIt) {
    const Beginners workers("exec sleep 1000");
    {
        Standby standby;
        standby.prepare(workers.program());
        ASSERT_TRUE(workers.have_begun(1));
    }
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a zombie is left";
    EXPECT_EQ(errno, ECHILD);
}

} // namespace
} // namespace visor::compile
