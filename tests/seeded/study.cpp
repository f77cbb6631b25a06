#include "study.h"

#include "observers.h"

#include "check/checkers.h"
#include "text/text.h"
#include "vm/loaded.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <functional>

namespace visor::seeded {

namespace {

// Of the launches that reach a site, so many are played for a mutant.
constexpr size_t most_launches = 4;
constexpr uint64_t more_seeds = 3;
constexpr std::byte poisons[] = {std::byte{0x5a}, std::byte{0xff}};

// Ends a run once something is found: more of it changes no verdict.
class StopWhen final : public machine::Watcher {
public:
    StopWhen(check::Checkers& checkers, std::function<bool()> found)
        : checkers_(checkers), found_(std::move(found)) {}
    void instruction(const machine::Thread& /*thread*/, const PreparedInstruction& /*instruction*/,
                     uint32_t /*lanes*/) override {
        const size_t count = checkers_.findings().all().size();
        if (count == seen_)
            return;
        seen_ = count;
        if (found_())
            stop_ = true;
    }
    [[nodiscard]] const std::atomic<bool>* flag() const { return &stop_; }

private:
    check::Checkers& checkers_;
    std::function<bool()> found_;
    size_t seen_ = 0;
    std::atomic<bool> stop_ = false;
};

bool is_limit(machine::FaultKind kind) {
    return kind == machine::FaultKind::fuel || kind == machine::FaultKind::timeout;
}
bool is_fault(const Outcome& outcome) {
    return outcome.fault.kind != machine::FaultKind::none &&
           outcome.fault.kind != machine::FaultKind::stopped && !is_limit(outcome.fault.kind);
}

// What a run left; one that did not come to its end left something else.
bool same_result(const Outcome& a, const Outcome& b) {
    return a.memory == b.memory && a.printed == b.printed && a.fault.kind == b.fault.kind;
}

// What the runs of the original tell; removed barriers and fences have lines in equivalent.tsv.
std::string why_equivalent(const Site& site, const Observed& observed) {
    switch (site.what) {
    case Operator::remove_barrier:
    case Operator::remove_fence:
        return "";
    case Operator::shift_index:
        return "what the neighbouring element holds changes no result";
    case Operator::drop_initialisation:
        return "no result depends on it: two other fillings of what was not written change none";
    case Operator::move_bound:
        return observed.equal ? "the sides are equal, and either way leads to the same result"
                              : "the sides are never equal: both relations agree";
    case Operator::weaken_predicate:
        return observed.decides ? "what is done for more lanes changes no result"
                                : "the predicate switches no lane off and takes no branch";
    }
    return "";
}

uint64_t fuel_of(const Recorded& recorded) {
    constexpr uint64_t times = 8;
    constexpr uint64_t some = 10'000;
    return recorded.most_instructions * times + some;
}

} // namespace

struct Study::Case {
    const FunctionName& name;
    const Mutant& mutant;
    Judged& judged;
    // Launches that reach the site, by their place among the recorded ones, with the program to play.
    struct Of {
        size_t recorded;
        std::shared_ptr<const vm::Program> program;
        Outcome plain;
    };
    std::vector<Of> launches;
    bool differs = false;
};

std::vector<Alarm> Study::alarms() {
    std::vector<Alarm> alarms;
    for (const Recorded& recorded : replay_.recorded()) {
        for (uint64_t seed = 0; seed <= 1; ++seed) {
            check::Checkers checkers(checkers_);
            (void)replay_.play(recorded, *recorded.program, {.seed = seed, .watcher = checkers.listener()});
            for (const check::Finding& finding : checkers.findings().all())
                if (finding.severity == check::Severity::error)
                    alarms.push_back(
                        {recorded.kernel, finding.rule, finding.message,
                         text::print(*finding.function, finding.function->code[finding.party.instruction])});
        }
    }
    return alarms;
}

void Study::look_at_original() {
    for (const Recorded& recorded : replay_.recorded()) {
        for (uint64_t seed = 0; seed <= more_seeds; ++seed) {
            check::Checkers checkers(checkers_);
            (void)replay_.play(recorded, *recorded.program, {.seed = seed, .watcher = checkers.listener()});
            for (const check::Finding& finding : checkers.findings().all())
                if (finding.severity == check::Severity::error)
                    known_.emplace(finding.rule, name_of(*recorded.program, finding.function.get()),
                                   finding.party.instruction);
        }
        bool by_seed = false;
        for (uint64_t seed = 1; seed <= more_seeds; ++seed)
            by_seed = by_seed || !same_result(replay_.play(recorded, *recorded.program, {.seed = seed}),
                                              recorded.outcome);
        bool by_poison = false;
        for (const std::byte with : poisons) {
            Poison poison(with);
            by_poison =
                by_poison || !same_result(replay_.play(recorded, *recorded.program, {.watcher = &poison}),
                                          recorded.outcome);
        }
        Clashes clashes(device_.id != isa::DeviceId::skl);
        (void)replay_.play(recorded, *recorded.program, {.watcher = &clashes});
        clashes_.push_back(clashes.saw());
        depends_on_seed_.push_back(by_seed);
        depends_on_poison_.push_back(by_poison);
    }
}

// Over all launches: a message's element does not change from one to the next.
std::map<FunctionName, Behaviour> Study::behaviour() const {
    std::map<FunctionName, Behaviour> all;
    for (const Recorded& recorded : replay_.recorded())
        for (const auto& [name, behaviour] : recorded.behaviour)
            for (const auto& [instruction, observed] : behaviour) {
                Observed& known = all[name][instruction];
                known.unit_bytes = std::max(known.unit_bytes, observed.unit_bytes);
                known.initialises = known.initialises || observed.initialises;
                known.decides = known.decides || observed.decides;
                known.equal = known.equal || observed.equal;
            }
    return all;
}

void Study::judge_all(const Choice& choice, const std::function<void(const Judged&)>& tell) {
    for (const auto& [name, known] : behaviour()) {
        const auto& first = *std::ranges::find_if(
            replay_.recorded(), [&](const Recorded& recorded) { return recorded.behaviour.contains(name); });
        const std::shared_ptr<const Function> function = function_of(*first.program, name);
        for (const Site& site : sites(*function, known)) {
            if (!choice.what[static_cast<size_t>(site.what)] || (site.number - 1) % choice.every != 0)
                continue;
            if (!known.contains(site.instruction)) {
                ++unreached_;
                continue;
            }
            tell(judge(name, site, known));
        }
    }
}

Judged Study::judge(const FunctionName& name, const Site& site, const Behaviour& known) {
    Judged judged{.example = example_, .device = device_.name, .function = name, .site = site};
    std::map<const vm::Program*, std::shared_ptr<const vm::Program>> programs; // several sets of options
    std::optional<Mutant> mutant;
    std::vector<Case::Of> launches;
    for (size_t i = 0; i < replay_.recorded().size() && launches.size() < most_launches; ++i) {
        const Recorded& recorded = replay_.recorded()[i];
        const auto own = recorded.behaviour.find(name);
        if (own == recorded.behaviour.end() || !own->second.contains(site.instruction))
            continue;
        auto& program = programs[recorded.program.get()];
        if (program == nullptr) {
            const auto function = function_of(*recorded.program, name);
            if (!mutant) {
                mutant = mutate(*function, site, known);
                judged.kernel = function->name;
                judged.text = text::print(*function, function->code[site.instruction]);
            }
            program = replaced(*recorded.program, name, mutant->function);
        }
        launches.push_back({i, program, {}});
    }
    Case mutated{name, *mutant, judged, std::move(launches)};
    if (decided(mutated, 0))
        return judged;
    const bool schedules = site.what == Operator::remove_barrier || site.what == Operator::remove_fence;
    for (uint64_t seed = 1; seed <= (schedules ? more_seeds : 1); ++seed)
        if (decided(mutated, seed))
            return judged;
    ask_witnesses(mutated);
    if (judged.verdict == Verdict::equivalent)
        judged.why = why_equivalent(site, known.at(site.instruction));
    return judged;
}

// `mutant`: absent, the original.
const check::Finding* Study::first_new(check::Checkers& checkers, const vm::Program& program,
                                       const Case* mutant) const {
    const auto& all = checkers.findings().all();
    const auto found = std::ranges::find_if(all, [&](const check::Finding& finding) {
        if (finding.severity != check::Severity::error)
            return false;
        const FunctionName name = name_of(program, finding.function.get());
        uint32_t instruction = finding.party.instruction;
        if (mutant != nullptr && name == mutant->name)
            instruction = mutant->mutant.original[instruction];
        return !known_.contains({finding.rule, name, instruction});
    });
    return found == all.end() ? nullptr : &*found;
}

Study::Played Study::checked(const Recorded& recorded, const vm::Program& program, const Case& mutant,
                             uint64_t seed) {
    check::Checkers checkers(checkers_);
    StopWhen stop(checkers, [&] { return first_new(checkers, program, &mutant) != nullptr; });
    machine::MulticastWatcher all;
    all.add(*checkers.listener());
    all.add(stop);
    Played played{
        replay_.play(
            recorded, program,
            {.seed = seed, .fuel = fuel_of(recorded), .watcher = all.listener(), .stop = stop.flag()}),
        {}};
    if (const check::Finding* error = first_new(checkers, program, &mutant))
        played.finding = error->rule;
    return played;
}

bool Study::decided(Case& mutant, uint64_t seed) {
    Judged& judged = mutant.judged;
    for (Case::Of& of : mutant.launches) {
        const Recorded& recorded = replay_.recorded()[of.recorded];
        Played played = checked(recorded, *of.program, mutant, seed);
        const Outcome& outcome = played.outcome;
        if (!outcome.error.empty()) {
            judged.verdict = Verdict::found; // refused before it ran
            judged.why = outcome.error;
            return true;
        }
        if (!played.finding.empty() || is_fault(outcome)) {
            judged.verdict = Verdict::found;
            judged.why = played.finding.empty()
                             ? fmt::format("fault: {}", machine::name_of(outcome.fault.kind))
                             : played.finding;
            return true;
        }
        if (is_limit(outcome.fault.kind)) {
            judged.verdict = Verdict::endless;
            judged.why = machine::name_of(outcome.fault.kind);
            return true;
        }
        if (seed == 0) {
            mutant.differs = mutant.differs || !same_result(outcome, recorded.outcome);
            of.plain = std::move(played.outcome);
        } else if (!depends_on_seed_[of.recorded] && !same_result(outcome, of.plain)) {
            // `--seeds A..B` says so, and fails.
            judged.verdict = Verdict::found;
            judged.why = "depends on the schedule";
            return true;
        }
    }
    return false;
}

void Study::ask_witnesses(Case& mutant) {
    Judged& judged = mutant.judged;
    const auto miss = [&](std::string why) {
        judged.verdict = Verdict::missed;
        judged.why = std::move(why);
    };
    judged.verdict = mutant.differs ? Verdict::different : Verdict::equivalent;
    for (const Case::Of& of : mutant.launches) {
        const Recorded& recorded = replay_.recorded()[of.recorded];
        const uint64_t fuel = fuel_of(recorded);
        for (const std::byte with : poisons) {
            Poison poison(with);
            if (!depends_on_poison_[of.recorded] &&
                !same_result(replay_.play(recorded, *of.program, {.fuel = fuel, .watcher = &poison}),
                             of.plain))
                return miss("what nobody wrote changes the result");
        }
        Arrays arrays(*of.program, recorded, mutant.name, mutant.mutant.original);
        Clashes clashes(device_.id != isa::DeviceId::skl);
        machine::MulticastWatcher both;
        both.add(arrays);
        both.add(clashes);
        (void)replay_.play(recorded, *of.program, {.fuel = fuel, .watcher = both.listener()});
        if (arrays.saw())
            return miss("another array is reached");
        if (clashes.saw() && !clashes_[of.recorded])
            return miss(clashes.what());
    }
}

} // namespace visor::seeded
