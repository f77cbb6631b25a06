// Runs mutants of one example on one device under all checkers, and asks the witnesses about those that
// nothing was found in.
#pragma once

#include "replay.h"

#include "check/checkers.h"

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace visor::seeded {

enum class Verdict : uint8_t {
    found,      // a checker told of it, or the run faulted
    missed,     // nothing was told, and a witness saw undefined behaviour
    different,  // nothing undefined was seen; the result is another one
    equivalent, // nor is it
    endless,    // more than eight times the instructions: the limit tells, no checker has to
};
inline constexpr size_t verdicts = 5;
inline constexpr std::array<std::string_view, verdicts> verdict_names{"found", "missed", "defined",
                                                                      "equivalent", "endless"};

struct Judged {
    std::string example;
    std::string device;
    FunctionName function;
    std::string kernel; // or the called function's name
    Site site;
    std::string text; // of the instruction
    Verdict verdict = Verdict::equivalent;
    std::string why; // a rule, a fault, or the witness
};

// A finding in the example as it is.
struct Alarm {
    std::string kernel;
    std::string_view rule;
    std::string message;
    std::string text; // of the instruction
};

struct Choice {
    std::array<bool, operators> what{true, true, true, true, true, true};
    uint32_t every = 1; // of the sites of an operator the first, and each so many behind it
};

class Study {
public:
    // `checkers` by check::Kind.
    Study(std::string example, const isa::Device& device, Replay& replay,
          const std::array<bool, check::kinds>& checkers)
        : example_(std::move(example)), device_(device), replay_(replay), checkers_(checkers) {}

    // What the checkers find in the example itself, in two schedules.
    [[nodiscard]] std::vector<Alarm> alarms();
    // What checkers and witnesses say of the example itself, and what therefore says nothing of a mutant.
    void look_at_original();
    void judge_all(const Choice& choice, const std::function<void(const Judged&)>& tell);
    [[nodiscard]] uint64_t unreached() const { return unreached_; }

private:
    struct Played {
        Outcome outcome;
        std::string finding; // the first rule
    };
    struct Case; // a mutant while it is judged
    [[nodiscard]] Judged judge(const FunctionName& name, const Site& site, const Behaviour& behaviour);
    // What is found in the original as well is none of the mutant's: by rule, function and instruction.
    using Known = std::set<std::tuple<std::string_view, FunctionName, uint32_t>>;
    [[nodiscard]] const check::Finding* first_new(check::Checkers& checkers, const vm::Program& program,
                                                  const Case* mutant) const;
    [[nodiscard]] Played checked(const Recorded& recorded, const vm::Program& program, const Case& mutant,
                                 uint64_t seed);
    [[nodiscard]] bool decided(Case& mutant, uint64_t seed);
    void ask_witnesses(Case& mutant);
    [[nodiscard]] std::map<FunctionName, Behaviour> behaviour() const;

    std::string example_;
    const isa::Device& device_;
    Replay& replay_;
    std::array<bool, check::kinds> checkers_;
    Known known_;
    std::vector<bool> depends_on_seed_, depends_on_poison_, clashes_; // by recorded launch
    uint64_t unreached_ = 0;
};

} // namespace visor::seeded
