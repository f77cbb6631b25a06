// A compiler that a program has taken over (hostile_compiler.c), in the real worker: nothing gets through.
// What the system does not have is skipped, aloud.
#include "compile/confine.h"

#include "compile/compile.h"
#include "compile/parts.h"
#include "compile/worker.h"
#include "scratch_folder.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

namespace visor::compile {
namespace {

using namespace std::chrono_literals;

class Hostile : public testing::Test {
protected:
    ScratchFolder folder_;

    static std::expected<Message, WorkerFailure> answer_to(const std::string& deed,
                                                           const std::string& readable,
                                                           std::chrono::milliseconds limit,
                                                           const std::string& cpu_seconds) {
        const auto worker = find_worker();
        EXPECT_TRUE(worker);
        if (!worker)
            return std::unexpected(WorkerFailure());
        Message question{MessageKind::build, std::vector<std::string>(build_field_count)};
        question.fields[build_device] = "skl";
        question.fields[build_language] = language_opencl_c;
        question.fields[build_product] = product_zebin;
        question.fields[build_source] = deed;
        question.fields[build_seconds] = cpu_seconds;
        question.fields[build_readable] = readable;
        return ask_worker(Command(*worker, {VISOR_TEST_HOSTILE_COMPILER}), question,
                          std::chrono::steady_clock::now() + limit);
    }
    // What came of it: errno, 0 or a number. `readable`: a path.
    static std::string outcome(const std::string& deed, const std::string& readable = "") {
        const auto answer =
            answer_to(deed, readable.empty() ? "" : readable + std::string(1, '\0'), 20s, "10");
        EXPECT_TRUE(answer) << deed << ": " << answer.error().message << answer.error().errors;
        if (!answer || answer->fields.size() != 3)
            return "no answer";
        return answer->fields[1];
    }
    static WorkerFailure failure_of(const std::string& deed, std::chrono::milliseconds limit,
                                    const std::string& cpu_seconds) {
        const auto answer = answer_to(deed, "", limit, cpu_seconds);
        EXPECT_FALSE(answer) << deed;
        EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a zombie is left";
        return answer ? WorkerFailure() : answer.error();
    }
};

#define NEEDS(field, what)                                                                                   \
    if (const WorkerConfinement found = worker_confinement(); !found.field)                                  \
    GTEST_SKIP() << "this system does not confine by " << what

std::string number(int error) {
    return std::to_string(error);
}

TEST_F(Hostile, NoProcessIsStarted) {
    NEEDS(system_calls, "seccomp");
    EXPECT_EQ(outcome("fork"), number(ENOSYS));
    EXPECT_EQ(outcome("thread"), number(ENOSYS));
    EXPECT_EQ(outcome("execute /bin/true"), number(ENOSYS));
    EXPECT_EQ(outcome("unshare"), number(ENOSYS));
}

TEST_F(Hostile, NobodyIsKilled) {
    NEEDS(system_calls, "seccomp");
    EXPECT_EQ(outcome("kill-parent"), number(EPERM));
    EXPECT_EQ(outcome("kill-thread"), number(EPERM));
    EXPECT_EQ(outcome("kill-group"), number(EPERM));
    EXPECT_EQ(outcome("kill-group parent"), number(EPERM));
    EXPECT_EQ(outcome("kill-by-file"), number(EPERM));
    EXPECT_EQ(outcome("kill-by-descriptor"), number(ENOSYS));
}

TEST_F(Hostile, NothingElseIsReached) {
    NEEDS(system_calls, "seccomp");
    static const char secret = 's';
    EXPECT_EQ(outcome("socket inet"), number(ENOSYS));
    EXPECT_EQ(outcome("socket unix"), number(ENOSYS));
    EXPECT_EQ(outcome("trace"), number(ENOSYS));
    EXPECT_EQ(outcome("look-into " + std::to_string(reinterpret_cast<uintptr_t>(&secret))), number(ENOSYS));
    EXPECT_EQ(outcome("mount"), number(ENOSYS));
}

TEST_F(Hostile, NothingIsWritten) {
    NEEDS(system_calls, "seccomp");
    const std::string there = folder_.write("there", "content");
    const std::string absent = folder_ / "absent";
    const std::string open = folder_.path().string(); // to read
    EXPECT_EQ(outcome("fill " + absent, open), number(EACCES));
    EXPECT_EQ(outcome("fill " + there, open), number(EACCES));
    EXPECT_EQ(outcome("make-folder " + absent, open), number(ENOSYS));
    EXPECT_EQ(outcome("remove " + there, open), number(ENOSYS));
    EXPECT_EQ(outcome("change-mode " + there, open), number(ENOSYS));
    EXPECT_EQ(outcome("cut " + there, open), number(ENOSYS));
    EXPECT_FALSE(std::filesystem::exists(absent));
    EXPECT_EQ(std::filesystem::file_size(there), 7U);
    EXPECT_EQ(outcome("fill /dev/shm/visor-hostile"), number(EACCES));
    EXPECT_FALSE(std::filesystem::exists("/dev/shm/visor-hostile"));
}

TEST_F(Hostile, OnlyWhatIsShownIsRead) {
    NEEDS(landlock, "Landlock");
    const std::string shown = folder_.write("shown/k.h", "");
    const std::string hidden = folder_.write("hidden/k.h", "");
    std::filesystem::create_symlink(hidden, folder_ / "shown/link.h");
    EXPECT_EQ(outcome("read " + shown, folder_ / "shown"), "0");
    EXPECT_EQ(outcome("read " + hidden, folder_ / "shown"), number(EACCES));
    EXPECT_EQ(outcome("read " + (folder_ / "shown/link.h"), folder_ / "shown"), number(EACCES));
    EXPECT_EQ(outcome("read " + (folder_ / "shown/../hidden/k.h"), folder_ / "shown"), number(EACCES));
    EXPECT_EQ(outcome("read " + shown, shown), "0") << "a file by itself";
    EXPECT_EQ(outcome("read " + shown), number(EACCES));
    EXPECT_EQ(outcome("read /etc/passwd"), number(EACCES));
    EXPECT_EQ(outcome("read /proc/self/environ"), number(EACCES));
    EXPECT_EQ(outcome("read /proc/1/cmdline"), number(EACCES));
}

TEST_F(Hostile, ResourcesAreLimited) {
    NEEDS(limits, "limits of resources");
    EXPECT_LE(std::stoi(outcome("memory")), 7) << "of 8 GiB, its libraries have some";
    EXPECT_LE(std::stoi(outcome("descriptors")), 252);
    NEEDS(system_calls, "seccomp");
    EXPECT_EQ(outcome("raise-limits"), number(EPERM)) << "root may, else";
}

TEST_F(Hostile, FilesOfTheCallerAreNotInherited) {
    const int file = open("/dev/null", O_RDWR); // for every child, as an application may leave it
    ASSERT_GE(file, 3);
    EXPECT_EQ(outcome("inherited"), "0");
    close(file);
}

TEST_F(Hostile, ThatHangsIsEnded) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(failure_of("sleep", 300ms, "0").kind, WorkerFailure::Kind::time_limit);
    EXPECT_EQ(failure_of("spin", 300ms, "0").kind, WorkerFailure::Kind::time_limit);
    EXPECT_LT(std::chrono::steady_clock::now() - start, 10s);
}

// The limit behind the signal that it does not hear.
TEST_F(Hostile, CpuTimeEndsBeforeTheClockDoes) {
    const WorkerFailure failure = failure_of("spin", 60s, "0.1");
    EXPECT_EQ(failure.kind, WorkerFailure::Kind::died);
    ASSERT_TRUE(WIFSIGNALED(failure.status));
    EXPECT_EQ(WTERMSIG(failure.status), SIGKILL);
}

TEST_F(Hostile, ThatAbortsIsTold) {
    const WorkerFailure failure = failure_of("abort", 20s, "10");
    EXPECT_EQ(failure.message, "the OpenCL compiler crashed (SIGABRT)");
}

TEST(FilesOfCompiler, AreTheSystemsAndItsOwn) {
    const Environment paths("LD_LIBRARY_PATH", "/one::relative:/two");
    const std::vector<std::string> files = files_of_compiler("/home/u/igc/libocloc.so");
    const auto has = [&](const char* name) { return std::ranges::find(files, name) != files.end(); };
    for (const char* const name : {"/usr/lib", "/etc/ld.so.cache", "/home/u/igc", "/one", "/two"})
        EXPECT_TRUE(has(name)) << name;
    for (const char* const name : {"", "/", "/etc", "/home", "relative"})
        EXPECT_FALSE(has(name)) << name;
}

} // namespace
} // namespace visor::compile
