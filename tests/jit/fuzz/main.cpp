// jit_fuzz [--seed N] [--count N] [--seconds S] [--mismatches N] [--found FOLDER] [--checked]: draws
// programs, runs each on the interpreter and on the JIT, and says where they differ, with the program made
// small. jit_fuzz
// --replay FILE...: the same for written ones. Programs run in a process of their own, so that whatever kills
// or stops it is found as well. Exit code 0: programs ran, and none differed.
#include "maker.h"
#include "minimise.h"
#include "rig.h"

#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <span>
#include <sstream>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace visor::jit_fuzz {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double seconds_to_minimise = 60;
constexpr double seconds_at_most = 120; // in one stage of one program
constexpr uint64_t programs_of_process = 500;

struct Request {
    uint64_t seed = 1;
    uint64_t count = 0;  // 0: until the time is over
    double seconds = 20; // unless a count is given
    uint64_t mismatches = 1;
    std::string found;                 // folder
    std::vector<std::string> replayed; // files
    bool mistake = false;              // in the code generator
    bool print = false;                // the programs, and run none
    bool checked = false;              // checkers listen, each program's choice of them
};

// In memory that both processes see.
struct Shared {
    volatile Stage stage = Stage::making;
    volatile uint64_t next = 0; // seed
    volatile uint64_t programs = 0;
    volatile uint64_t instructions = 0; // of programs
    volatile uint64_t executed = 0;     // by the interpreter
    volatile uint64_t called_out = 0;
    volatile uint64_t faulted = 0;
    volatile uint64_t endless = 0;
    volatile uint64_t no_code = 0;
    volatile uint64_t refused = 0;
    volatile uint64_t nan_bits = 0;
    volatile uint64_t findings = 0; // launches with some
    volatile uint64_t mismatches = 0;
};

constexpr std::array stage_names{"preparing it", "the interpreter", "generating code", "the generated code"};

template <class Number>
bool number_in(std::string_view word, Number& number) {
    const auto read = std::from_chars(word.data(), word.data() + word.size(), number);
    return read.ec == std::errc() && read.ptr == word.data() + word.size();
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
        if (word == "--print" || word == "--mistake" || word == "--checked") {
            (word == "--print"     ? request.print
             : word == "--mistake" ? request.mistake
                                   : request.checked) = true;
            continue;
        }
        if (++i >= words.size())
            return std::nullopt;
        const std::string_view value = words[i];
        bool good = true;
        if (word == "--seed")
            good = number_in(value, request.seed);
        else if (word == "--count")
            good = number_in(value, request.count);
        else if (word == "--seconds")
            good = number_in(value, request.seconds);
        else if (word == "--mismatches")
            good = number_in(value, request.mismatches);
        else if (word == "--found")
            request.found = value;
        else
            good = false;
        if (!good)
            return std::nullopt;
    }
    return request;
}

void report(const Request& request, uint64_t seed, const Trial& trial, const std::string& text) {
    fmt::print("seed {}: {}\n{}\n", seed, trial.what, text);
    std::fflush(stdout);
    if (request.found.empty())
        return;
    std::filesystem::create_directories(request.found);
    std::ofstream(std::filesystem::path(request.found) / fmt::format("seed_{}.visaasm", seed)) << text;
}

void count_trial(Shared& shared, const Trial& trial, const Recipe& recipe) {
    shared.programs = shared.programs + 1;
    shared.instructions = shared.instructions + instruction_count(recipe);
    shared.executed = shared.executed + trial.instructions;
    shared.called_out = shared.called_out + trial.called_out;
    shared.faulted = shared.faulted + (trial.faulted ? 1 : 0);
    shared.findings = shared.findings + trial.findings;
    shared.nan_bits = shared.nan_bits + (trial.nan_bits ? 1 : 0);
    shared.endless = shared.endless + (trial.verdict == Verdict::endless ? 1 : 0);
    shared.no_code = shared.no_code + (trial.verdict == Verdict::no_code ? 1 : 0);
    shared.refused = shared.refused + (trial.verdict == Verdict::refused ? 1 : 0);
}

Recipe drawn(const Request& request, uint64_t seed) {
    Recipe recipe = Maker(seed).make();
    if (request.checked)
        recipe.setting.told = 1 + static_cast<uint32_t>(seed % (machine::EventKinds::count - 1));
    return recipe;
}

void try_seed(Rig& rig, const Request& request, Shared& shared, uint64_t seed) {
    Recipe recipe = drawn(request, seed);
    const Trial trial = run_drawn(rig, recipe);
    count_trial(shared, trial, recipe);
    if (trial.verdict == Verdict::refused || trial.verdict == Verdict::no_code)
        fmt::print("seed {}: {}{}\n", seed, trial.what,
                   trial.lines.empty() ? "" : fmt::format(" (line {})", trial.lines.front()));
    if (trial.verdict != Verdict::differs)
        return;
    shared.mismatches = shared.mismatches + 1;
    const Recipe small = minimised(rig, recipe, seconds_to_minimise);
    report(request, seed, rig.run(small.setting, text_of(small)), text_of(small));
}

bool is_over(const Request& request, const Shared& shared, Clock::time_point start) {
    if (shared.mismatches >= request.mismatches)
        return true;
    if (request.count != 0)
        return shared.next >= request.seed + request.count;
    return std::chrono::duration<double>(Clock::now() - start).count() >= request.seconds;
}

void run_some(const Request& request, Shared& shared, Clock::time_point start) {
    Rig rig(shared.stage, request.mistake);
    for (uint64_t i = 0; i < programs_of_process && !is_over(request, shared, start); ++i) {
        try_seed(rig, request, shared, shared.next);
        shared.next = shared.next + 1;
    }
}

// "" or what became of the process.
std::string wait_for(pid_t process, const Shared& shared) {
    auto since = Clock::now();
    std::pair<uint64_t, Stage> last{shared.next, shared.stage};
    for (;;) {
        int status = 0;
        if (waitpid(process, &status, WNOHANG) == process)
            return WIFSIGNALED(status)        ? fmt::format("signal {}", WTERMSIG(status))
                   : WEXITSTATUS(status) != 0 ? fmt::format("exit code {}", WEXITSTATUS(status))
                                              : "";
        const std::pair<uint64_t, Stage> now{shared.next, shared.stage};
        if (now != last)
            since = Clock::now();
        last = now;
        if (std::chrono::duration<double>(Clock::now() - since).count() > seconds_at_most) {
            kill(process, SIGKILL);
            waitpid(process, &status, 0);
            return "it did not end";
        }
        usleep(20'000);
    }
}

void run_process(const Request& request, Shared& shared, Clock::time_point start) {
    std::fflush(stdout);
    const pid_t process = fork();
    if (process == 0) {
        run_some(request, shared, start);
        std::fflush(stdout);
        _exit(0);
    }
    const std::string died = wait_for(process, shared);
    if (died.empty())
        return;
    const uint64_t seed = shared.next;
    fmt::print("seed {}: {} in {}\n", seed, died, stage_names.at(static_cast<size_t>(shared.stage)));
    // A code generator that dies costs a launch its code; the worker's process is there for that.
    if (shared.stage == Stage::generating)
        shared.no_code = shared.no_code + 1;
    else
        shared.mismatches = shared.mismatches + 1;
    const Recipe recipe = drawn(request, seed);
    report(request, seed, {.what = died}, text_of(recipe));
    shared.next = seed + 1;
}

Shared& shared_memory() {
    void* const memory =
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        std::abort();
    return *new (memory) Shared;
}

int fuzz(const Request& request) {
    const auto start = Clock::now();
    Shared& shared = shared_memory();
    shared.next = request.seed;
    while (!is_over(request, shared, start))
        run_process(request, shared, start);
    const double taken = std::chrono::duration<double>(Clock::now() - start).count();
    const uint64_t programs = shared.programs;
    fmt::print(
        "{} programs from seed {} on, {} instructions in them, {} executed, {} of these called out; {} "
        "programs faulted, {} had other NaN bits, {} were endless, {} had no code, {} were refused; {} "
        "mismatches; {:.1f} s\n",
        programs, request.seed, shared.instructions + 0, shared.executed + 0, shared.called_out + 0,
        shared.faulted + 0, shared.nan_bits + 0, shared.endless + 0, shared.no_code + 0, shared.refused + 0,
        shared.mismatches + 0, taken);
    if (request.checked)
        fmt::print("checkers found something in {} launches\n", shared.findings + 0);
    // A run that compared little shall not pass.
    const bool compared = programs > 0 && (shared.endless + shared.no_code + shared.refused) * 10 <= programs;
    const bool checked = !request.checked || shared.findings > 0;
    return shared.mismatches == 0 && compared && checked ? EXIT_SUCCESS : EXIT_FAILURE;
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
        if (setting)
            trial = rig.run(*setting, text.str());
        else
            trial = {.verdict = Verdict::refused, .what = setting.error()};
        if (trial.verdict == Verdict::same)
            continue;
        ++wrong;
        fmt::print("{}: {}\n", path, trial.what);
    }
    fmt::print("{} programs, {} failures\n", request.replayed.size(), wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace

} // namespace visor::jit_fuzz

int main(int count, char** words) {
    using namespace visor::jit_fuzz;
    const auto request = request_of({words, static_cast<size_t>(count)});
    if (!request) {
        fmt::print(stderr, "jit_fuzz [--seed N] [--count N] [--seconds S] [--mismatches N] [--found FOLDER] "
                           "[--print] [--mistake] [--checked]\n"
                           "jit_fuzz --replay FILE...\n");
        return EXIT_FAILURE;
    }
    if (!request->replayed.empty())
        return replay(*request);
    if (request->print) {
        fmt::print("{}", text_of(drawn(*request, request->seed)));
        return EXIT_SUCCESS;
    }
    return fuzz(*request);
}
