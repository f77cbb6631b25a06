#include "cli/verbs/reduce.h"

#include "cli/console/console.h"
#include "cli/console/interrupt.h"
#include "cli/value/temporary_folder.h"
#include "cli/verbs/predicate_command.h"
#include "file/file.h"
#include "vm/reduction.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <span>

namespace visor::cli {

namespace {

using Clock = std::chrono::steady_clock;

// The user's command as what decides. A candidate lies in a folder of its own, under the name of the file.
class Question {
public:
    Question(const ReduceRequest& request, const std::string& folder)
        : command_(request.command, request.test_seconds, interrupt::came()), shown_(request.talk.verbose),
          path_(folder + "/" +
                std::filesystem::path(request.file == "-" ? "kernel.visaasm" : request.file)
                    .filename()
                    .string()) {}

    reduce::Answer ask(std::string_view text) {
        if (const auto done = write_file(path_, std::as_bytes(std::span(text)), Content::text); !done)
            return stop_for(done.error());
        const auto end = command_.ask(path_, shown_ && tests_ == 0);
        ++tests_;
        if (!end)
            return stop_for(end.error());
        switch (*end) {
        case CommandEnd::yes:
            return reduce::Answer::interesting;
        case CommandEnd::late:
            ++late_;
            return reduce::Answer::boring;
        case CommandEnd::interrupted:
            return reduce::Answer::stop;
        case CommandEnd::no:
            break;
        }
        return reduce::Answer::boring;
    }

    [[nodiscard]] uint64_t tests() const { return tests_; }
    [[nodiscard]] uint64_t late() const { return late_; }
    [[nodiscard]] const std::string& problem() const { return problem_; } // "": none

private:
    reduce::Answer stop_for(std::string problem) {
        problem_ = std::move(problem);
        return reduce::Answer::stop;
    }

    PredicateCommand command_;
    bool shown_;
    std::string path_;
    uint64_t tests_ = 0;
    uint64_t late_ = 0;
    std::string problem_;
};

std::string plural(uint64_t count, std::string_view noun) {
    return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

// Why the text as it is cannot be reduced.
std::unexpected<Failure> refused(const vm::Error& error, const ReduceRequest& request,
                                 const Question& question) {
    if (!question.problem().empty())
        return invalid(question.problem());
    if (interrupt::came().load())
        return std::unexpected(Failure{ExitCode::spent, "interrupted before the command's first answer"});
    std::string text = error.text;
    if (question.late() > 0)
        text += fmt::format(": the command took longer than {} s (--timeout)", request.test_seconds);
    else if (question.tests() > 0)
        text += ": the command has to end with exit code 0 for it; -v shows what it says";
    return std::unexpected(Failure{exit_code(error.kind), text});
}

// How the reduction ended, in a line.
std::string summary(const std::string& path, const reduce::Reduced& reduced, size_t lines_before,
                    const Question& question, double seconds) {
    std::string out = fmt::format(
        "visor: {}: {} of {}, {} ({} interesting{}), {:.1f} s", path, plural(reduced.lines, "line"),
        grouped(lines_before), plural(reduced.tests, "test"), grouped(reduced.kept),
        question.late() == 0 ? "" : fmt::format(", {} too late", question.late()), seconds);
    if (!reduced.complete)
        out +=
            interrupt::came().load() ? "; interrupted: it may get smaller" : "; stopped: it may get smaller";
    return out;
}

std::expected<ExitCode, Failure> reduce_file(const ReduceRequest& request, const Console& console) {
    const auto content = read_file(request.file);
    if (!content)
        return invalid(content.error());
    const std::string path =
        request.output.empty() ? default_output(request.file, ".reduced.visaasm") : request.output;
    if (const auto can = OutputFile::probe(path); !can)
        return invalid(can.error());
    const TemporaryFolder folder;
    if (folder.path().empty())
        return invalid("no temporary folder can be made; TMPDIR names another place");
    const interrupt::Orderly until_it_ends;
    Question question(request, folder.path());
    vm::ReductionRequest job;
    job.device = request.device;
    job.most_tests = request.most_tests;
    job.ask = [&](std::string_view text) { return question.ask(text); };
    job.on_progress = [&](const reduce::Progress& now) {
        console.remark(fmt::format("visor: {} after {}: {}", plural(now.lines, "line"), now.pass,
                                   plural(now.tests, "test")));
    };
    const Clock::time_point begin = Clock::now();
    const auto reduced = vm::reduce_text(request.file, *content, job);
    if (!reduced)
        return refused(reduced.error(), request, question);
    if (const auto done = write_file(path, std::as_bytes(std::span(reduced->text)), Content::text); !done)
        return invalid(done.error());
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    const auto lines = static_cast<size_t>(std::ranges::count(*content, '\n'));
    if (!question.problem().empty())
        console.report({ExitCode::invalid, question.problem()});
    console.line(summary(path, *reduced, lines, question, seconds));
    if (!question.problem().empty())
        return ExitCode::invalid;
    return reduced->complete ? ExitCode::clean : ExitCode::spent;
}

} // namespace

ExitCode reduce(const ReduceRequest& request) {
    const Console console(request.talk.color, request.talk.quiet, request.talk.verbose);
    const auto ended = reduce_file(request, console);
    return ended ? *ended : finish(std::unexpected(ended.error()), console);
}

} // namespace visor::cli
