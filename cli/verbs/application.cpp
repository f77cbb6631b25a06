#include "cli/verbs/application.h"

#include "capture/folder.h"
#include "cli/console/interrupt.h"
#include "cli/report/application_record.h"
#include "cli/value/temporary_folder.h"
#include "cli/verbs/debugger_relay.h"
#include "compile/parts.h"
#include "file/file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace visor::cli {

namespace {

constexpr const char* library_name = "libvisor-opencl.so";

// The folder that the loader is shown, with the record of the launches beside it. It goes with the run.
class Folder {
public:
    // False: it cannot be written.
    [[nodiscard]] bool fill(const std::string& library) const {
        std::error_code problem;
        if (folder_.path().empty() || !std::filesystem::create_directory(vendors(), problem))
            return false;
        std::ofstream icd(vendors() + "/visor.icd");
        icd << library << '\n';
        std::ofstream empty(record());
        return icd.good() && empty.good();
    }
    [[nodiscard]] std::string vendors() const { return folder_.path() + "/vendors"; }
    [[nodiscard]] std::string record() const { return folder_.path() + "/record"; }
    [[nodiscard]] const std::string& path() const { return folder_.path(); }

private:
    TemporaryFolder folder_;
};

// Beside the program as it is installed; where it was built as long as it lies there itself.
std::string find_library() {
    std::error_code ignored;
    std::vector<std::filesystem::path> candidates{compile::own_folder() / VISOR_LIBRARIES_FROM_PROGRAM /
                                                  library_name};
    if (compile::is_where_built())
        candidates.emplace_back(VISOR_BUILT_OPENCL);
    for (const std::filesystem::path& candidate : candidates) {
        if (access(candidate.c_str(), R_OK) == 0)
            return std::filesystem::weakly_canonical(candidate, ignored).string();
    }
    return "";
}

// The environment of the application: ours, with what this run says.
class Environment {
public:
    Environment() {
        for (char** one = environ; *one != nullptr; ++one)
            words_.emplace_back(*one);
    }
    void set(std::string_view name, const std::string& value) {
        std::erase_if(words_, [&](const std::string& word) {
            return word.starts_with(name) && word.substr(name.size()).starts_with('=');
        });
        words_.push_back(fmt::format("{}={}", name, value));
    }
    void set_if_given(std::string_view name, const std::string& value) {
        if (!value.empty())
            set(name, value);
    }
    [[nodiscard]] std::vector<char*> pointers() {
        std::vector<char*> out;
        for (std::string& word : words_)
            out.push_back(word.data());
        out.push_back(nullptr);
        return out;
    }

private:
    std::vector<std::string> words_;
};

// The application may change its folder.
std::string absolute(const std::string& path) {
    std::error_code ignored;
    return path.empty() ? path : std::filesystem::absolute(path, ignored).string();
}

Environment environment_of(const ApplicationRequest& request, const Folder& folder) {
    Environment environment;
    environment.set("OCL_ICD_VENDORS", folder.vendors());
    environment.set("VISOR_REPORT", folder.record());
    environment.set_if_given("VISOR_DEVICE", request.device);
    environment.set_if_given("VISOR_COMPILER", request.compiler);
    environment.set_if_given("VISOR_ENGINE", request.engine);
    environment.set_if_given("VISOR_CHECK", request.checks);
    environment.set_if_given("VISOR_THREADS", request.threads);
    environment.set_if_given("VISOR_FUEL", request.fuel);
    environment.set_if_given("VISOR_TIMEOUT", request.timeout);
    environment.set_if_given("VISOR_PROFILE_OUT", absolute(request.profiles.profile));
    environment.set_if_given("VISOR_COVERAGE_OUT", absolute(request.profiles.coverage));
    environment.set_if_given("VISOR_TIMELINE_OUT", absolute(request.profiles.timeline));
    environment.set_if_given("VISOR_PAGE_OUT", absolute(request.profiles.page));
    environment.set_if_given("VISOR_CAPTURE", absolute(request.capture));
    environment.set_if_given("VISOR_CAPTURE_LAUNCHES", request.capture_launches);
    environment.set_if_given("VISOR_CAPTURE_LIMIT", request.capture_limit);
    if (request.seed != 0)
        environment.set("VISOR_SEED", std::to_string(request.seed));
    if (request.last_seed)
        environment.set("VISOR_REPORT_RESULTS", "1");
    return environment;
}

// Its standard streams: ours, or nothing.
enum class Streams : uint8_t { ours, none };

// How it is started: in a group of its own while interrupts are the debugger's.
class Attributes {
public:
    explicit Attributes(const DebuggerRelay* debugger) {
        posix_spawnattr_init(&attributes_);
        if (debugger == nullptr)
            return;
        posix_spawnattr_setsigmask(&attributes_, &debugger->former_signals());
        int flags = POSIX_SPAWN_SETSIGMASK;
        if (debugger->has_input() && !debugger->has_output())
            flags |= POSIX_SPAWN_SETPGROUP;
        posix_spawnattr_setflags(&attributes_, static_cast<int16_t>(flags));
    }
    ~Attributes() { posix_spawnattr_destroy(&attributes_); }
    Attributes(const Attributes&) = delete;
    Attributes& operator=(const Attributes&) = delete;
    Attributes(Attributes&&) = delete;
    Attributes& operator=(Attributes&&) = delete;

    [[nodiscard]] const posix_spawnattr_t* get() const { return &attributes_; }

private:
    posix_spawnattr_t attributes_{};
};

class FileActions {
public:
    FileActions(Streams streams, const DebuggerRelay* debugger) {
        posix_spawn_file_actions_init(&actions_);
        if (debugger != nullptr && debugger->has_input())
            posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        for (int stream = STDIN_FILENO; streams == Streams::none && stream <= STDERR_FILENO; ++stream)
            posix_spawn_file_actions_addopen(&actions_, stream, "/dev/null",
                                             stream == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0);
    }
    ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
    FileActions(const FileActions&) = delete;
    FileActions& operator=(const FileActions&) = delete;
    FileActions(FileActions&&) = delete;
    FileActions& operator=(FileActions&&) = delete;

    [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

private:
    posix_spawn_file_actions_t actions_{};
};

// The wait status. Error: it cannot be started.
std::expected<int, std::string> start_and_wait(std::vector<std::string> command, Environment environment,
                                               Streams streams, DebuggerRelay* debugger) {
    std::vector<char*> words;
    for (std::string& word : command)
        words.push_back(word.data());
    words.push_back(nullptr);
    const interrupt::Orderly until_it_ends;
    pid_t process = 0;
    const int problem = posix_spawnp(&process, words[0], FileActions(streams, debugger).get(),
                                     Attributes(debugger).get(), words.data(), environment.pointers().data());
    if (problem != 0)
        return std::unexpected(fmt::format("`{}` cannot be started: {}", command[0], std::strerror(problem)));
    const interrupt::Forwarded to_it(process);
    if (debugger != nullptr)
        debugger->begin(process);
    int status = 0;
    while (waitpid(process, &status, 0) <
           0) { // an interrupt reaches the application, too: its end is awaited
        if (errno != EINTR)
            return std::unexpected(fmt::format("`{}` cannot be waited for", command[0]));
    }
    return status;
}

// How the application itself ended; "" when well.
std::string end_of(int status) {
    if (WIFSIGNALED(status))
        return fmt::format("ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
    return WEXITSTATUS(status) == 0 ? "" : fmt::format("ended with exit code {}", WEXITSTATUS(status));
}

// One run: how it ended, and what it launched.
struct Ran {
    int status = 0;
    ApplicationRecord record;
};

std::expected<Ran, Failure> run_once(const ApplicationRequest& request, const std::string& library,
                                     Streams streams) {
    const Folder folder;
    if (!folder.fill(library))
        return std::unexpected(
            Failure{ExitCode::internal, "the folder for temporary files cannot be written to"});
    Environment environment = environment_of(request, folder);
    std::unique_ptr<DebuggerRelay> debugger;
    if (request.debugger) {
        auto opened = DebuggerRelay::open(*request.debugger, folder.path());
        if (!opened)
            return std::unexpected(Failure{ExitCode::invalid, opened.error()});
        debugger = std::move(*opened);
        environment.set("VISOR_DEBUG", debugger->setting());
    }
    const auto status = start_and_wait(request.command, std::move(environment), streams, debugger.get());
    debugger.reset();
    if (!status)
        return std::unexpected(Failure{ExitCode::invalid, status.error()});
    const auto text = read_file(folder.record());
    return Ran{*status, read_application_record(text ? *text : "")};
}

// Why the result depends on the schedule, or cannot be known to; "" when nothing differs. The first seed is
// run once more before the others: an application that differs by itself says nothing of schedules.
std::expected<std::string, Failure> compare_schedules(ApplicationRequest request, const std::string& library,
                                                      const Ran& first) {
    const auto differs = [&](const Ran& other) {
        std::string text = difference_of(first.record, other.record);
        if (text.empty() && other.status != first.status)
            text = fmt::format("`{}` {}", request.command[0],
                               other.status == 0 ? "ends well" : end_of(other.status));
        return text;
    };
    request.profiles = {}; // the first schedule's are written
    request.capture.clear();
    const uint64_t first_seed = request.seed;
    std::vector<uint64_t> seeds{first_seed};
    for (uint64_t seed = first_seed; seed < *request.last_seed;)
        seeds.push_back(++seed);
    for (size_t k = 0; k < seeds.size() && !interrupt::came(); ++k) {
        request.seed = seeds[k];
        const auto ran = run_once(request, library, Streams::none);
        if (!ran)
            return std::unexpected(ran.error());
        const std::string text = interrupt::came() ? "" : differs(*ran);
        if (text.empty())
            continue;
        if (k != 0)
            return fmt::format("the result depends on the schedule: with --seed {} and {} {}; "
                               "`--check=race` may tell why",
                               first_seed, request.seed, text);
        return std::unexpected(
            Failure{ExitCode::unsupported,
                    fmt::format("two runs with --seed {} differ, so schedules cannot be compared: {}",
                                first_seed, text)});
    }
    return "";
}

} // namespace

ExitCode run_application(const ApplicationRequest& request) {
    const Console console(request.talk.color, request.talk.quiet, request.talk.verbose);
    const auto fail = [&](const Failure& failure) {
        const ExitCode code = failure.code;
        console.report(failure);
        console.line("visor: no kernel was run");
        return code;
    };
    const std::string library = find_library();
    if (library.empty())
        return fail({ExitCode::unsupported,
                     fmt::format("{} is missing: this build has no OpenCL platform", library_name)});
    if (capture::is_in_use(request.capture))
        return fail({ExitCode::usage, fmt::format("--capture {}: the folder is not empty", request.capture)});
    console.remark(fmt::format("visor: {} as the only OpenCL platform", library));
    const auto ran = run_once(request, library, Streams::ours);
    if (!ran)
        return fail(ran.error());
    ExitCode code = ran->record.code;
    uint64_t schedules = 1;
    if (request.last_seed && !interrupt::came()) {
        const auto differing = compare_schedules(request, library, *ran);
        if (!differing || !differing->empty()) {
            const Failure failure = differing ? Failure{ExitCode::invalid, *differing} : differing.error();
            console.report(failure);
            code = worse(code, failure.code);
        } else
            schedules = *request.last_seed - request.seed + 1;
    }
    for (const std::string& program : programs_of(ran->record))
        console.remark("visor: " + program);
    const std::string end = end_of(ran->status);
    console.line(fmt::format("{}{}{}", summary_of(ran->record, !request.checks.empty()),
                             schedules == 1 ? "" : fmt::format("; the same with {} schedules", schedules),
                             end.empty() ? "" : fmt::format("; `{}` {}", request.command[0], end)));
    return end.empty() ? code : worse(code, ExitCode::invalid);
}

} // namespace visor::cli
