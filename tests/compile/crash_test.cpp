#include "compile/crash.h"

#include "spirv_module.h"

#include <csignal>
#include <gtest/gtest.h>

namespace visor::compile {
namespace {

// Wait statuses as Linux has them.
constexpr int aborted = SIGABRT;
constexpr int killed = SIGKILL;
constexpr int exited_1 = 1 << 8;

WorkerFailure end(int status, std::string errors) {
    WorkerFailure out;
    out.kind = WorkerFailure::Kind::died;
    out.message = "the OpenCL compiler crashed (SIGABRT)";
    out.status = status;
    out.errors = std::move(errors);
    return out;
}

Request program() {
    Request request;
    request.name = "k.cl";
    request.source = "kernel void fill(global int* p) {}";
    return request;
}

// Of the compiler of 2022.
std::optional<spirv::VersionRange> to_14() {
    return spirv::VersionRange{{1, 0}, {1, 4}};
}
Failure explained(const WorkerFailure& end, const Request& request, const ReadVersions& reads = to_14) {
    return explain_end(end, request, reads);
}

constexpr const char* advice =
    "; worth trying are -cl-opt-disable, -cl-intel-256-GRF-per-thread and another device";

TEST(LastWords, AreTheLineThatTellsMost) {
    EXPECT_EQ(last_words(""), "");
    EXPECT_EQ(last_words("\n \n"), "");
    EXPECT_EQ(last_words("one\ntwo\n"), "two");
    EXPECT_EQ(
        last_words("LLVM ERROR: broken\nPLEASE submit a bug report\nStack dump:\n0.\tProgram\n#0 0x1\n"),
        "LLVM ERROR: broken");
    EXPECT_EQ(last_words("something\nPLEASE submit\n0.\tx\n#0 0x1\n"), "something");
    EXPECT_EQ(last_words("Stack dump:\n"), "");
    EXPECT_EQ(last_words("a.cl:1: error: x\nmore\n"), "a.cl:1: error: x");
    EXPECT_EQ(last_words("\x1b[31mred\n"), "[31mred");
    EXPECT_EQ(last_words(std::string(5000, 'x')).size(), 400U);
}

TEST(ExplainEnd, ACrashHasTheProgramAndTheCompilersWords) {
    const Failure failure = explained(end(aborted, "LLVM ERROR: broken\n"), program());
    EXPECT_EQ(failure.kind, FailureKind::compiler_crashed);
    EXPECT_EQ(failure.message,
              std::string("the OpenCL compiler crashed (SIGABRT) on `k.cl` (kernel fill): LLVM "
                          "ERROR: broken") +
                  advice);
    EXPECT_EQ(failure.log, "") << "the message has all of it";
    EXPECT_EQ(explained(end(aborted, "one\n\ntwo"), program()).log, "one\ntwo\n");
}

TEST(ExplainEnd, AnExitIsTheCompilersOwnWill) {
    EXPECT_EQ(explained(end(exited_1, ""), program()).message,
              std::string("the OpenCL compiler gave up by itself (exit status 1) on `k.cl` (kernel fill) and "
                          "said nothing") +
                  advice);
}

TEST(ExplainEnd, AnOptionOfTheCodeGeneratorThatDoesNotExist) {
    const Failure failure = explained(end(aborted, "-nonsense: unrecognized option\n"), program());
    EXPECT_EQ(failure.kind, FailureKind::bad_option);
    EXPECT_EQ(failure.message, "the OpenCL compiler crashed (SIGABRT) on `k.cl` (kernel fill): -nonsense: "
                               "unrecognized option");
}

TEST(ExplainEnd, NoAdviceForWhoWasKilled) {
    EXPECT_EQ(explained(end(killed, ""), program()).message,
              "the OpenCL compiler crashed (SIGABRT) on `k.cl` (kernel fill) and said nothing");
}

TEST(ExplainEnd, WhoWasInterruptedDidNotCrash) {
    WorkerFailure ended = end(SIGTERM, "half a line");
    ended.message = "the OpenCL compiler was interrupted (SIGTERM)";
    EXPECT_EQ(explained(ended, program()).message,
              "the OpenCL compiler was interrupted (SIGTERM) on `k.cl` (kernel fill)");
}

TEST(ExplainEnd, AVersionThatTheCompilerDoesNotRead) {
    Request request;
    request.name = "k.spv";
    request.language = Language::spirv;
    request.source = test::spirv::number_by_extract(0x00010500);
    const Failure failure = explained(end(exited_1, ""), request);
    EXPECT_EQ(failure.kind, FailureKind::build_error);
    EXPECT_EQ(failure.message, "`k.spv` does not build for skl");
    EXPECT_EQ(failure.log, "SPIR-V 1.5: the compiler reads 1.0 to 1.4\n");
    EXPECT_EQ(explained(end(aborted, ""), request).kind, FailureKind::compiler_crashed);
    request.source = test::spirv::number_by_extract(0x00010400);
    EXPECT_EQ(explained(end(exited_1, ""), request).kind, FailureKind::compiler_crashed);
    request.modules = {request.source, test::spirv::number_by_extract(0x00010600)};
    request.language = Language::modules;
    EXPECT_EQ(explained(end(exited_1, ""), request).log,
              "module 2: SPIR-V 1.6: the compiler reads 1.0 to 1.4\n");
}

// IGC 2.40 says so itself; what it says of an exit status is no crash.
TEST(ExplainEnd, TheRangeIsTheCompilers) {
    Request request;
    request.name = "k.spv";
    request.language = Language::spirv;
    request.source = test::spirv::number_by_extract(0x00010700);
    constexpr int exited_10 = 10 << 8;
    const std::string words = "InvalidModule: Invalid SPIR-V module: unsupported SPIR-V version number\n";
    const ReadVersions to_16 = [] { return spirv::VersionRange{{1, 0}, {1, 6}}; };
    const Failure failure = explained(end(exited_10, words), request, to_16);
    EXPECT_EQ(failure.kind, FailureKind::build_error);
    EXPECT_EQ(failure.log, "SPIR-V 1.7: the compiler reads 1.0 to 1.6\n");
    request.source = test::spirv::number_by_extract(0x00010600);
    EXPECT_EQ(explained(end(exited_10, words), request, to_16).kind, FailureKind::compiler_crashed);
    const ReadVersions unknown = [] { return std::optional<spirv::VersionRange>(); };
    EXPECT_EQ(explained(end(exited_10, words), request, unknown).kind, FailureKind::compiler_crashed);
    bool asked = false;
    const ReadVersions told = [&] {
        asked = true;
        return std::optional<spirv::VersionRange>();
    };
    static_cast<void>(explained(end(aborted, words), request, told));
    static_cast<void>(explained(end(exited_10, words), program(), told));
    EXPECT_FALSE(asked) << "of a crash, and of OpenCL C, it is not the version";
}

} // namespace
} // namespace visor::compile
