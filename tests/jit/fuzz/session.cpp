#include "session.h"

#include "jit/driver/pipeline.h"
#include "maker.h"
#include "minimise.h"
#include "rig.h"
#include "tally.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <span>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace visor::jit_fuzz {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double seconds_to_minimise = 60;
constexpr double seconds_at_most = 120; // in one stage of one program
constexpr uint64_t told_every = 10'000; // programs
constexpr const char* does_not_end = "it did not end";

constexpr std::array stage_names{"preparing it", "the interpreter", "generating code", "the generated code"};

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

void say(const std::string& text) { // at once: other processes write, too
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

// One process at a time, and the seeds that it has to try, in memory that all processes see.
struct Slot {
    volatile Stage stage = Stage::making;
    volatile uint64_t next = 0;
    volatile uint64_t end = 0;
    Tally tally;
};

// The parent's view of a slot.
struct Job {
    Slot* slot = nullptr;
    pid_t process = 0; // 0: none runs
    std::pair<uint64_t, Stage> last{};
    Clock::time_point since{}; // it is at `last`
};

class Session {
public:
    Session(const Request& request, std::optional<jit::Level> level);
    ~Session() { munmap(slots_.data(), slots_.size_bytes()); }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    [[nodiscard]] bool run();

private:
    [[nodiscard]] Tally sum() const;
    [[nodiscard]] bool is_over() const;
    // False: there is nothing left.
    [[nodiscard]] bool take_batch(Slot& slot);
    void begin(Job& job);
    // Whether its process has ended.
    [[nodiscard]] bool look_after(Job& job);
    void buried(const Slot& slot, const std::string& died);
    void run_batch(Slot& slot) const;
    void try_seed(Rig& rig, Slot& slot, uint64_t seed) const;
    void report(uint64_t seed, const Trial& trial, const std::string& text) const;

    const Request& request_;
    std::optional<jit::Level> level_;
    Clock::time_point start_ = Clock::now();
    uint64_t batch_ = 0;
    uint64_t next_; // seed that no process has been given
    std::span<Slot> slots_;
};

Session::Session(const Request& request, std::optional<jit::Level> level)
    : request_(request), level_(level), next_(request.seed) {
    // A process that dies costs little; so does the last one that others wait for.
    batch_ = request.count == 0 ? 50 : std::clamp<uint64_t>(request.count / (request.jobs * 8), 5, 500);
    void* const memory =
        mmap(nullptr, request.jobs * sizeof(Slot), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        std::abort();
    slots_ = {static_cast<Slot*>(memory), request.jobs};
    for (Slot& slot : slots_)
        new (&slot) Slot;
}

Tally Session::sum() const {
    Tally all;
    for (const Slot& slot : slots_)
        all.add(slot.tally);
    return all;
}

bool Session::is_over() const {
    uint64_t mismatches = 0;
    for (const Slot& slot : slots_)
        mismatches += slot.tally.mismatches;
    return mismatches >= request_.mismatches ||
           (request_.count == 0 && seconds_since(start_) >= request_.seconds);
}

bool Session::take_batch(Slot& slot) {
    const uint64_t left =
        request_.count == 0 ? batch_ : std::min(batch_, request_.seed + request_.count - next_);
    slot.next = next_;
    slot.end = next_ + left;
    next_ += left;
    return left != 0;
}

void Session::report(uint64_t seed, const Trial& trial, const std::string& text) const {
    say(fmt::format("seed {}: {}\n{}\n", seed, trial.what, text));
    if (request_.found.empty())
        return;
    std::filesystem::create_directories(request_.found);
    std::ofstream(std::filesystem::path(request_.found) / fmt::format("seed_{}.visaasm", seed)) << text;
}

void Session::try_seed(Rig& rig, Slot& slot, uint64_t seed) const {
    Recipe recipe = drawn(request_, level_, seed);
    const Trial trial = run_drawn(rig, recipe);
    slot.tally.count(trial, recipe);
    if (trial.verdict == Verdict::refused || trial.verdict == Verdict::no_code)
        say(fmt::format("seed {}: {}{}\n", seed, trial.what,
                        trial.lines.empty() ? "" : fmt::format(" (line {})", trial.lines.front())));
    if (trial.verdict != Verdict::differs)
        return;
    slot.tally.mismatches = slot.tally.mismatches + 1;
    const Recipe small = minimised(rig, recipe, seconds_to_minimise);
    report(seed, rig.run(small.setting, text_of(small)), text_of(small));
}

void Session::run_batch(Slot& slot) const {
    Rig rig(slot.stage, request_.mistake);
    while (slot.next < slot.end && !is_over()) {
        try_seed(rig, slot, slot.next);
        slot.next = slot.next + 1;
    }
}

void Session::begin(Job& job) {
    std::fflush(stdout);
    job.process = fork();
    if (job.process < 0)
        std::abort();
    if (job.process == 0) {
        run_batch(*job.slot);
        std::fflush(stdout);
        _exit(0);
    }
    job.since = Clock::now();
}

void Session::buried(const Slot& slot, const std::string& died) {
    const uint64_t seed = slot.next;
    say(fmt::format("seed {}: {} in {}\n", seed, died, stage_names.at(static_cast<size_t>(slot.stage))));
    report(seed, {.what = died}, text_of(drawn(request_, level_, seed)));
}

bool Session::look_after(Job& job) {
    int status = 0;
    std::string died;
    const std::pair<uint64_t, Stage> now{job.slot->next, job.slot->stage};
    if (waitpid(job.process, &status, WNOHANG) == job.process) {
        died = WIFSIGNALED(status)        ? fmt::format("signal {}", WTERMSIG(status))
               : WEXITSTATUS(status) != 0 ? fmt::format("exit code {}", WEXITSTATUS(status))
                                          : "";
    } else if (now != job.last) {
        job.last = now;
        job.since = Clock::now();
        return false;
    } else if (seconds_since(job.since) > seconds_at_most) {
        kill(job.process, SIGKILL);
        waitpid(job.process, &status, 0);
        died = does_not_end;
    } else {
        return false;
    }
    job.process = 0;
    if (died.empty())
        return true;
    buried(*job.slot, died);
    Slot& slot = *job.slot;
    // A code generator that takes too long costs a launch its code; the worker's limits are there for that.
    const bool slow = slot.stage == Stage::generating && died == does_not_end;
    auto& counter = slow ? slot.tally.no_code : slot.tally.mismatches;
    counter = counter + 1;
    slot.next = slot.next + 1;
    return true;
}

bool Session::run() {
    jit::initialize_target(); // once, for all processes
    std::vector<Job> jobs;
    for (Slot& slot : slots_)
        jobs.push_back({.slot = &slot});
    uint64_t told = told_every;
    for (size_t running = 1; running != 0;) {
        running = 0;
        for (Job& job : jobs) {
            if (job.process != 0 && !look_after(job)) {
                ++running;
            } else if (!is_over() && (job.slot->next < job.slot->end || take_batch(*job.slot))) {
                begin(job);
                ++running;
            }
        }
        if (running != 0)
            usleep(5'000);
        if (const Tally all = sum(); all.programs >= told) {
            say(words_of(all, request_.seed, seconds_since(start_)));
            told = (all.programs / told_every + 1) * told_every;
        }
    }
    const Tally all = sum();
    say(words_of(all, request_.seed, seconds_since(start_)));
    if (request_.checked)
        say(fmt::format("checkers found something in {} launches\n", all.findings + 0));
    // A run that compared little shall not pass.
    const bool compared = all.programs > 0 && (all.endless + all.no_code + all.refused) * 10 <= all.programs;
    const bool checked = !request_.checked || all.findings > 0;
    return all.mismatches == 0 && compared && checked;
}

} // namespace

bool cpu_has(jit::Level level) {
#if defined(__x86_64__)
    switch (level) {
    case jit::Level::avx512:
        return __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
               __builtin_cpu_supports("avx512vl") != 0;
    case jit::Level::avx2:
        return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
    case jit::Level::sse4:
        return __builtin_cpu_supports("sse4.2") != 0;
    case jit::Level::host:
        break;
    }
    return true;
#else
    return level == jit::Level::host;
#endif
}

Recipe drawn(const Request& request, std::optional<jit::Level> level, uint64_t seed) {
    Recipe recipe = Maker(seed, request.large ? Lengths::large : Lengths::mixed).make();
    if (request.checked)
        recipe.setting.told = 1 + static_cast<uint32_t>(seed % (machine::EventKinds::count - 1));
    if (level)
        recipe.setting.level = static_cast<uint32_t>(*level);
    return recipe;
}

bool fuzz(const Request& request, std::optional<jit::Level> level) {
    return Session(request, level).run();
}

} // namespace visor::jit_fuzz
