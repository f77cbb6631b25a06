// How many seeded bugs the checkers find, by operator: the figures in docs/dev/checkers-evaluation.md.
//   seeded_bugs EXAMPLES_FOLDER EXCEPTIONS [OPTION...] [EXAMPLE...]
//     --device D          skl unless said otherwise
//     --operator N        only the operator of this number, from 1
//     --every N           the first site of an operator and function, and each N-th behind it
//     --reasons FILE      equivalent.tsv: a removed barrier or fence that changes nothing has to have a line
//     --without CHECKER   leaves a checker out: what it alone finds has to be missed then
//     --log FILE          a line for every mutant
//     --by-hand           the vISA texts below the folder, each on its own device, instead of the compiled
//                         examples
//     --clean FILE        no mutants: the examples themselves, in which nothing may be found but what
//                         known.tsv has, `EXAMPLE<tab>RULE<tab>why`
//     --least N           fails when a removed barrier is missed, or of another operator's bugs less than N
//     percent
//                         are found
#include "equivalents.h"
#include "replay.h"
#include "study.h"

#include "examples/exceptions.h"
#include "examples/host.h"
#include "process/process.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

using namespace visor;
using namespace visor::seeded;

namespace {

struct Settings {
    std::string folder;
    std::string exceptions;
    const isa::Device* device = isa::device_named("skl");
    Choice choice;
    std::array<bool, check::kinds> checkers{};
    std::string reasons;
    std::string log;
    std::string known; // a file; "": mutants
    bool by_hand = false;
    uint32_t least = 0; // percent; 0: whatever is found will do
    std::vector<std::string> examples;
};

bool read_number(const std::string& text, uint32_t& number) {
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    return read.ec == std::errc{} && number != 0;
}

// False: there is no such option, or its value is none.
bool take(const std::string& option, const std::string& value, Settings& settings) {
    uint32_t number = 0;
    if (option == "--device")
        return (settings.device = isa::device_named(value)) != nullptr;
    if (option == "--reasons")
        settings.reasons = value;
    else if (option == "--clean")
        settings.known = value;
    else if (const auto kind = std::ranges::find(check::kind_names, value);
             option == "--without" && kind != check::kind_names.end())
        settings.checkers[static_cast<size_t>(kind - check::kind_names.begin())] = false;
    else if (option == "--log")
        settings.log = value;
    else if (option == "--least")
        return read_number(value, settings.least) && settings.least <= 100;
    else if (option == "--every")
        return read_number(value, settings.choice.every);
    else if (option == "--operator" && read_number(value, number) && number <= operators) {
        settings.choice.what = {};
        settings.choice.what[number - 1] = true;
    } else {
        return false;
    }
    return true;
}

bool read_settings(const std::vector<std::string>& arguments, Settings& settings) {
    if (arguments.size() < 2)
        return false;
    settings.folder = arguments[0];
    settings.exceptions = arguments[1];
    for (size_t i = 2; i < arguments.size(); ++i) {
        if (!arguments[i].starts_with("--"))
            settings.examples.push_back(arguments[i]);
        else if (arguments[i] == "--by-hand")
            settings.by_hand = true;
        else if (i + 1 == arguments.size() || !take(arguments[i], arguments[i + 1], settings))
            return false;
        else
            ++i;
    }
    return true;
}

using Counts = std::array<std::array<uint64_t, verdicts>, operators>;

void print_table(const Counts& counts) {
    std::cout
        << "| operator | mutants | found | missed | defined | equivalent | endless | found of undefined |\n"
           "|---|---|---|---|---|---|---|---|\n";
    for (size_t i = 0; i < operators; ++i) {
        const auto& row = counts[i];
        const auto of = [&](Verdict verdict) { return row[static_cast<size_t>(verdict)]; };
        uint64_t all = 0;
        for (const uint64_t count : row)
            all += count;
        const uint64_t bugs = of(Verdict::found) + of(Verdict::missed);
        std::cout << fmt::format(
            "| {} | {} | {} | {} | {} | {} | {} | {} |\n", operator_names[i], all, of(Verdict::found),
            of(Verdict::missed), of(Verdict::different), of(Verdict::equivalent), of(Verdict::endless),
            bugs == 0 ? "-"
                      : fmt::format("{:.1f} %", 100.0 * static_cast<double>(of(Verdict::found)) /
                                                    static_cast<double>(bugs)));
    }
}

class Run {
public:
    Run(const Settings& settings, std::vector<Reason> reasons)
        : settings_(settings), reasons_(std::move(reasons)) {
        if (!settings.log.empty())
            log_.open(settings.log);
        std::istringstream lines(settings.known.empty() ? "" : test::read_file(settings.known));
        for (std::string line; std::getline(lines, line);)
            if (!line.starts_with('#'))
                known_.insert(line.substr(0, line.rfind('\t')));
    }

    void example(const test::Check& check) {
        const std::string name(check.name);
        Replay replay(*settings_.device);
        const test::Place place{"", settings_.folder + '/' + name + '/' + name + ".cl",
                                settings_.device->name};
        test::Example example(
            place, [&](const test::Place& where, test::Launch& launch) { return replay.run(where, launch); });
        if (!passes(check, example)) {
            std::cerr << name << ": not run: " << replay.problem() << '\n';
            return;
        }
        study(name, *settings_.device, replay);
    }

    void example(const ByHand& by_hand) {
        const isa::Device& device = *isa::device_named(by_hand.device);
        Replay replay(device);
        if (!replay.run(by_hand)) {
            std::cerr << by_hand.name << ": not run: " << replay.problem() << '\n';
            return;
        }
        study(by_hand.name, device, replay);
    }

    int finish() {
        std::cout << fmt::format("{} examples {}", examples_,
                                 settings_.by_hand ? "by hand"
                                                   : fmt::format("on {}", settings_.device->name));
        if (!settings_.known.empty()) {
            if (settings_.examples.empty() && seen_ != known_) {
                std::cout << "\na line of " << settings_.known << " is no longer true";
                bad_ = true;
            }
            std::cout << (bad_ ? "\n" : ": nothing else found\n");
            return bad_ || examples_ == 0 ? 1 : 0;
        }
        std::cout << fmt::format("; {} places that no launch reaches\n\n", unreached_);
        print_table(counts_);
        print_reasons();
        for (const Reason& reason : reasons_)
            if (!reason.used && reason.device == settings_.device->name && settings_.examples.empty() &&
                !settings_.by_hand && settings_.choice.every == 1) {
                std::cout << "nothing fits any more: " << reason.example << ' ' << reason.site << '\n';
                bad_ = true;
            }
        bool enough = settings_.least == 0 || (!bad_ && judged_ != 0);
        for (size_t i = 0; i < operators; ++i) {
            const uint64_t found = counts_[i][static_cast<size_t>(Verdict::found)];
            const uint64_t bugs = found + counts_[i][static_cast<size_t>(Verdict::missed)];
            const uint64_t least = i == 0 ? 100 : settings_.least; // barriers: all
            if (settings_.least != 0 && found * 100 < bugs * least) {
                std::cout << fmt::format("not enough: {}\n", operator_names[i]);
                enough = false;
            }
        }
        return enough ? 0 : 1;
    }

private:
    void study(const std::string& name, const isa::Device& device, Replay& replay) {
        const auto start = std::chrono::steady_clock::now();
        ++examples_;
        Study study(name, device, replay, settings_.checkers);
        if (!settings_.known.empty()) {
            for (const Alarm& alarm : study.alarms())
                tell(name, alarm);
        } else {
            study.look_at_original();
            study.judge_all(settings_.choice, [&](const Judged& judged) { tell(judged); });
            unreached_ += study.unreached();
        }
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        std::cerr << fmt::format("{}: {} launches, {:.1f} s\n", name, replay.recorded().size(), took.count());
    }

    // What the check itself says is kept for none.
    static bool passes(const test::Check& check, test::Example& example) {
        std::ostringstream kept;
        std::streambuf* const usual = std::cout.rdbuf(kept.rdbuf());
        const bool passed = check.passes(example);
        std::cout.rdbuf(usual);
        return passed;
    }

    void tell(const std::string& name, const Alarm& alarm) {
        const std::string key = fmt::format("{}\t{}", name, alarm.rule);
        if (known_.contains(key)) {
            seen_.insert(key);
            return;
        }
        std::cout << fmt::format("{}, {}: {}: {}\n    {}\n", name, alarm.kernel, alarm.rule, alarm.message,
                                 alarm.text);
        bad_ = true;
    }

    void print_reasons() const {
        std::cout << "\n| equivalent because | mutants |\n|---|---|\n";
        for (const auto& [why, count] : reasons_given_)
            std::cout << fmt::format("| {} | {} |\n", why, count);
    }

    void tell(const Judged& judged) {
        ++judged_;
        ++counts_[static_cast<size_t>(judged.site.what)][static_cast<size_t>(judged.verdict)];
        const std::string_view what = operator_names[static_cast<size_t>(judged.site.what)];
        std::string why = judged.why;
        if (judged.verdict == Verdict::equivalent) {
            ++reasons_given_[fmt::format("{}: {}", what, why.empty() ? "see equivalent.tsv" : why)];
            const Reason* reason = reason_for(reasons_, judged);
            if (reason != nullptr)
                why = reason->why;
            else if (!settings_.reasons.empty() && (judged.site.what == Operator::remove_barrier ||
                                                    judged.site.what == Operator::remove_fence)) {
                std::cout << fmt::format("no reason: {}\t{}\t{}\t{}\n", judged.example, judged.device, what,
                                         site_name(judged));
                bad_ = true;
            }
        }
        if (judged.verdict == Verdict::missed)
            std::cerr << fmt::format("missed: {}\t{}\t{}\t{}\t{}\n", judged.example, judged.device, what,
                                     site_name(judged), why);
        log_ << judged.example << '\t' << judged.device << '\t' << what << '\t' << site_name(judged) << '\t'
             << verdict_names[static_cast<size_t>(judged.verdict)] << '\t' << why << '\n';
    }

    const Settings& settings_;
    std::vector<Reason> reasons_;
    std::set<std::string> known_, seen_; // EXAMPLE<tab>RULE
    std::ofstream log_;
    Counts counts_{};
    std::map<std::string, uint64_t> reasons_given_;
    uint64_t examples_ = 0;
    uint64_t unreached_ = 0;
    uint64_t judged_ = 0;
    bool bad_ = false;
};

} // namespace

int main(int argc, char** argv) {
    Settings settings;
    settings.checkers.fill(true);
    if (!read_settings({argv + 1, argv + argc}, settings)) {
        std::cerr << "usage: seeded_bugs EXAMPLES_FOLDER EXCEPTIONS [OPTION...] [EXAMPLE...]\n";
        return 2;
    }
    const auto exceptions = test::read_exceptions(test::read_file(settings.exceptions));
    auto reasons =
        settings.reasons.empty() ? std::vector<Reason>{} : read_reasons(test::read_file(settings.reasons));
    if (!exceptions || !reasons) {
        std::cerr << "a line is wrong: " << (exceptions ? reasons.error() : exceptions.error()) << '\n';
        return 2;
    }
    Run run(settings, std::move(*reasons));
    const auto is_wanted = [&](std::string_view name) {
        return settings.examples.empty() ||
               std::ranges::find(settings.examples, name) != settings.examples.end();
    };
    if (settings.by_hand) {
        const auto by_hand = examples_by_hand(settings.folder);
        if (!by_hand) {
            std::cerr << by_hand.error() << ": not understood\n";
            return 2;
        }
        for (const ByHand& example : *by_hand)
            if (is_wanted(example.name))
                run.example(example);
        return run.finish();
    }
    for (const test::Check& check : test::all_checks()) {
        const bool excepted = std::ranges::any_of(*exceptions, [&](const test::Exception& exception) {
            return exception.example == check.name && exception.device == settings.device->name;
        });
        if (is_wanted(check.name) && !excepted)
            run.example(check);
    }
    return run.finish();
}
