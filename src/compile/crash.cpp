#include "compile/crash.h"

#include "compile/names.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <fmt/format.h>
#include <span>
#include <sys/wait.h>
#include <vector>

namespace visor::compile {

namespace {

constexpr std::string_view unknown_option = "unrecognized option";

// Non-empty lines, without terminal escape sequences.
std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const size_t end = text.find('\n');
        std::string line(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
        std::ranges::replace_if(line, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
        const size_t first = line.find_first_not_of(' ');
        if (first != std::string::npos)
            lines.push_back(line.substr(first, line.find_last_not_of(' ') + 1 - first));
    }
    return lines;
}

// Lines of LLVM's crash report: "Stack dump:", "0.\tProgram arguments", "#3 0x00007f...".
bool is_of_stack(std::string_view line) {
    constexpr std::array<std::string_view, 3> beginnings{"Stack dump", "PLEASE submit", "#"};
    const bool numbered = line.size() > 1 && line[0] >= '0' && line[0] <= '9' && line[1] == '.';
    return numbered || std::ranges::any_of(beginnings, [line](std::string_view beginning) {
               return line.starts_with(beginning);
           });
}

std::string joined(const std::vector<std::string>& lines) {
    std::string out;
    for (const std::string& line : lines)
        out += line + '\n';
    return out;
}

bool is_exit(const WorkerFailure& end) {
    return end.status != -1 && WIFEXITED(end.status);
}

// "the OpenCL compiler crashed (SIGABRT)"
std::string what_happened(const WorkerFailure& end) {
    if (is_exit(end))
        return fmt::format("the OpenCL compiler gave up by itself (exit status {})", WEXITSTATUS(end.status));
    return end.message;
}

// "SPIR-V 1.5: the compiler reads 1.0 to 1.4" when the program has such a module, else "".
std::string unread_version(const Request& request, const ReadVersions& read_versions) {
    const bool links = request.language == Language::modules;
    if (request.language == Language::opencl_c)
        return {};
    const std::optional<spirv::VersionRange> reads = read_versions();
    const std::span<const std::string> all =
        links ? std::span(request.modules) : std::span(&request.source, 1);
    for (size_t i = 0; reads && i < all.size(); ++i) {
        const spirv::Version version = spirv::version_of(all[i]);
        if (spirv::is_module(all[i]) && (version > reads->newest || version < reads->oldest))
            return fmt::format("{}SPIR-V {}.{}: the compiler reads {}.{} to {}.{}\n",
                               links ? fmt::format("module {}: ", i + 1) : "", version.major, version.minor,
                               reads->oldest.major, reads->oldest.minor, reads->newest.major,
                               reads->newest.minor);
    }
    return {};
}

} // namespace

std::string last_words(std::string_view errors) {
    constexpr std::array<std::string_view, 4> telling{"LLVM ERROR:", unknown_option, "error", "Assertion"};
    constexpr size_t longest = 400;
    const std::vector<std::string> lines = lines_of(errors);
    std::string words;
    for (const std::string_view mark : telling) {
        const auto found = std::ranges::find_if(
            lines.rbegin(), lines.rend(), [mark](const std::string& line) { return line.contains(mark); });
        if (found != lines.rend()) {
            words = *found;
            break;
        }
    }
    for (auto line = lines.rbegin(); words.empty() && line != lines.rend(); ++line) {
        if (!is_of_stack(*line))
            words = *line;
    }
    return words.substr(0, longest);
}

Failure explain_end(const WorkerFailure& end, const Request& request, const ReadVersions& read_versions) {
    const std::vector<std::string> lines = lines_of(end.errors);
    const std::string words = last_words(end.errors);
    if (is_exit(end)) { // its reaction to unsupported versions; newer compilers report them
        if (std::string version = unread_version(request, read_versions); !version.empty())
            return {FailureKind::build_error,
                    fmt::format("`{}` does not build for {}", request.name, request.device),
                    std::move(version)};
    }
    Failure out{.kind = FailureKind::compiler_crashed, .message = {}, .log = {}};
    if (end.status != -1 && WIFSIGNALED(end.status) && is_interrupt(WTERMSIG(end.status))) {
        out.message = fmt::format("{} on {}", end.message, described(request));
        return out;
    }
    out.message = fmt::format("{} on {}{}{}", what_happened(end), described(request),
                              words.empty() ? " and said nothing" : ": ", words);
    if (lines.size() > 1) // else the message has all of it
        out.log = joined(lines);
    const bool killed = end.status != -1 && WIFSIGNALED(end.status) &&
                        (WTERMSIG(end.status) == SIGKILL || WTERMSIG(end.status) == SIGXCPU);
    if (words.contains(unknown_option))
        out.kind = FailureKind::bad_option;
    else if (!killed)
        out.message += "; worth trying are -cl-opt-disable, -cl-intel-256-GRF-per-thread and another device";
    return out;
}

} // namespace visor::compile
