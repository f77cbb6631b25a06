#include "cli/application.h"

#include "cli/application_record.h"
#include "cli/file.h"
#include "compile/parts.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace visor::cli {

namespace {

constexpr const char* library_name = "libvisor-opencl.so";

// The folder that the loader is shown, with the record of the launches beside it. It goes with the run.
class Folder {
public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "visor-run-XXXXXX").string();
        if (mkdtemp(name.data()) != nullptr)
            path_ = name;
    }
    ~Folder() {
        std::error_code ignored;
        if (!path_.empty())
            std::filesystem::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    Folder(Folder&&) = delete;
    Folder& operator=(Folder&&) = delete;

    // False: it cannot be written.
    [[nodiscard]] bool fill(const std::string& library) const {
        std::error_code problem;
        if (path_.empty() || !std::filesystem::create_directory(vendors(), problem))
            return false;
        std::ofstream icd(vendors() + "/visor.icd");
        icd << library << '\n';
        std::ofstream empty(record());
        return icd.good() && empty.good();
    }
    [[nodiscard]] std::string vendors() const { return path_ + "/vendors"; }
    [[nodiscard]] std::string record() const { return path_ + "/record"; }

private:
    std::string path_;
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
    return environment;
}

// The wait status. Error: it cannot be started.
std::expected<int, std::string> start_and_wait(std::vector<std::string> command, Environment environment) {
    std::vector<char*> words;
    for (std::string& word : command)
        words.push_back(word.data());
    words.push_back(nullptr);
    pid_t process = 0;
    const int problem =
        posix_spawnp(&process, words[0], nullptr, nullptr, words.data(), environment.pointers().data());
    if (problem != 0)
        return std::unexpected(fmt::format("`{}` cannot be started: {}", command[0], std::strerror(problem)));
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

} // namespace

ExitCode run_application(const ApplicationRequest& request) {
    const Console console(request.talk.color, request.talk.quiet, request.talk.verbose);
    const auto fail = [&](ExitCode code, std::string text) {
        console.report({code, std::move(text)});
        console.line("visor: no kernel was run");
        return code;
    };
    const std::string library = find_library();
    if (library.empty())
        return fail(ExitCode::unsupported,
                    fmt::format("{} is missing: this build has no OpenCL platform", library_name));
    const Folder folder;
    if (!folder.fill(library))
        return fail(ExitCode::internal, "the folder for temporary files cannot be written to");
    console.remark(fmt::format("visor: {} as the only OpenCL platform", library));
    const auto status = start_and_wait(request.command, environment_of(request, folder));
    if (!status)
        return fail(ExitCode::invalid, status.error());
    const auto text = read_file(folder.record());
    const ApplicationRecord record = read_application_record(text ? *text : "");
    const std::string end = end_of(*status);
    console.line(fmt::format("{}{}", summary_of(record, !request.checks.empty()),
                             end.empty() ? "" : fmt::format("; `{}` {}", request.command[0], end)));
    return end.empty() ? record.code : worse(record.code, ExitCode::invalid);
}

} // namespace visor::cli
