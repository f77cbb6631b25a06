// jit_fuzz [--level LEVEL,...] [--jobs N] [--seed N] [--count N] [--seconds S] [--mismatches N]
// [--found FOLDER] [--checked] [--large]: draws programs, runs each on the interpreter and on the JIT, and
// says where they differ, with the program made small. jit_fuzz --replay FILE...: the same for written ones.
// Exit code 0: programs ran, and none differed; 77: the CPU has none of the levels.
#include "rig.h"
#include "session.h"
#include "tally.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <span>
#include <sstream>

namespace visor::jit_fuzz {

namespace {

constexpr int exit_skipped = 77;

template <class Number>
bool number_in(std::string_view word, Number& number) {
    const auto read = std::from_chars(word.data(), word.data() + word.size(), number);
    return read.ec == std::errc() && read.ptr == word.data() + word.size();
}

// Names separated by commas.
bool levels_in(std::string_view list, std::vector<jit::Level>& levels) {
    for (const std::string& name : jit::names_in(list)) {
        const auto named = std::ranges::find(level_names, name);
        if (named == level_names.end() || named == level_names.begin())
            return false;
        levels.push_back(static_cast<jit::Level>(named - level_names.begin()));
    }
    return !levels.empty();
}

bool* flag_named(Request& request, std::string_view word) {
    return word == "--print"     ? &request.print
           : word == "--mistake" ? &request.mistake
           : word == "--checked" ? &request.checked
           : word == "--large"   ? &request.large
                                 : nullptr;
}

bool read_option(Request& request, std::string_view word, std::string_view value) {
    if (word == "--seed")
        return number_in(value, request.seed);
    if (word == "--count")
        return number_in(value, request.count);
    if (word == "--seconds")
        return number_in(value, request.seconds);
    if (word == "--mismatches")
        return number_in(value, request.mismatches);
    if (word == "--jobs")
        return number_in(value, request.jobs) && request.jobs > 0 && request.jobs <= most_jobs;
    if (word == "--level")
        return levels_in(value, request.levels);
    if (word != "--found")
        return false;
    request.found = value;
    return true;
}

std::optional<Request> request_of(std::span<char*> words) {
    Request request;
    for (size_t i = 1; i < words.size(); ++i) {
        const std::string_view word = words[i];
        if (word == "--replay") {
            for (++i; i < words.size(); ++i)
                request.replayed.emplace_back(words[i]);
            return request.replayed.empty() ? std::nullopt : std::optional(request);
        }
        if (bool* const flag = flag_named(request, word)) {
            *flag = true;
            continue;
        }
        if (++i >= words.size() || !read_option(request, word, words[i]))
            return std::nullopt;
    }
    return request;
}

int replay(const Request& request) {
    volatile Stage stage = Stage::making;
    Rig rig(stage, false);
    size_t wrong = 0;
    for (const std::string& path : request.replayed) {
        std::stringstream text;
        text << std::ifstream(path).rdbuf();
        const auto setting = setting_of(text.str());
        Trial trial;
        if (setting && !cpu_has(static_cast<jit::Level>(std::min(setting->level, 3U)))) {
            fmt::print("{}: skipped, this CPU lacks its level\n", path);
            continue;
        }
        if (setting)
            trial = rig.run(*setting, text.str());
        else
            trial = {.verdict = Verdict::refused, .what = setting.error()};
        if (trial.verdict == Verdict::same)
            continue;
        ++wrong;
        fmt::print("{}: {}{}\n", path, trial.what,
                   trial.lines.empty() ? "" : fmt::format(" (line {})", trial.lines.front()));
    }
    fmt::print("{} programs, {} failures\n", request.replayed.size(), wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

// Each level has the same programs.
int fuzz_levels(const Request& request) {
    if (request.levels.empty())
        return fuzz(request, std::nullopt) ? EXIT_SUCCESS : EXIT_FAILURE;
    bool good = true;
    size_t ran = 0;
    for (const jit::Level level : request.levels) {
        const std::string_view name = level_names.at(static_cast<size_t>(level));
        if (!cpu_has(level)) {
            fmt::print("level {}: SKIPPED, this CPU lacks it\n", name);
            continue;
        }
        ++ran;
        fmt::print("level {}\n", name);
        good = fuzz(request, level) && good;
    }
    return ran == 0 ? exit_skipped : good ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace

} // namespace visor::jit_fuzz

int main(int count, char** words) {
    using namespace visor::jit_fuzz;
    const auto request = request_of({words, static_cast<size_t>(count)});
    if (!request) {
        fmt::print(stderr, "jit_fuzz [--level avx512|avx2|sse4.2,...] [--jobs N] [--seed N] [--count N] "
                           "[--seconds S] [--mismatches N] [--found FOLDER] [--print] [--mistake] [--large] "
                           "[--checked]\n"
                           "jit_fuzz --replay FILE...\n");
        return EXIT_FAILURE;
    }
    if (!request->replayed.empty())
        return replay(*request);
    if (request->print) {
        fmt::print("{}", text_of(drawn(*request, std::nullopt, request->seed)));
        return EXIT_SUCCESS;
    }
    return fuzz_levels(*request);
}
