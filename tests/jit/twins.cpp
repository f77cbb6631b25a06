// jit_twins [--devices a,b] [--fires] VISOR FILE...: the checkers memory, conflict and align have to find the
// same whichever engine runs. The commands are those that the files' comments hold (`// RUN: visor run %s
// ...` of cases, `//   visor run FILE ...` of examples), each with these three checkers in place of its own
// and once for every device (by itself when it names one), on the interpreter and on the JIT, as text and as
// JSON.
// `--fires`: each of their rules has to come up on the JIT. What the JIT has no code for is counted, and
// said; so are commands with schedules (--seed, --seeds), which are the interpreter's.
#include "check/rules.h"
#include "process/process.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <set>
#include <sstream>

namespace {

using nlohmann::json;
using visor::check::Kind;

constexpr const char* checks = "--check=memory,conflict,align";

struct Tally {
    size_t runs = 0;
    size_t native = 0;
    size_t with_findings = 0;
    size_t left_out = 0;
    size_t different = 0;
    std::set<std::string> rules; // that came up on the JIT
};

std::vector<std::string> split(const std::string& text, char by) {
    std::vector<std::string> words;
    std::string word;
    char quote = 0;
    for (const char c : text + by) {
        if (quote == 0 ? c == '"' || c == '\'' : c == quote) {
            quote = quote == 0 ? c : '\0';
        } else if (quote == 0 && c == by) {
            if (!word.empty())
                words.push_back(word);
            word.clear();
        } else {
            word += c;
        }
    }
    return words;
}

void replace_all(std::string& text, std::string_view what, const std::string& with) {
    for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
}

// Without the words "visor run".
std::vector<std::string> commands_of(const std::string& file, const std::string& temporary) {
    std::vector<std::string> commands;
    std::istringstream lines(visor::test::read_file(file));
    bool goes_on = false; // an example's command, on the next line
    for (std::string line; std::getline(lines, line);) {
        goes_on = goes_on && line.starts_with("//       ");
        if (goes_on)
            commands.back() += line.substr(2);
        const bool is_case = line.starts_with("// RUN: visor run ") && line.find("--check") != line.npos;
        if (!is_case && !line.starts_with("//   visor run "))
            continue;
        std::string command = line.substr(line.find("visor run ") + 10);
        goes_on = !is_case;
        replace_all(command, "%s", file);
        replace_all(command, "%d", file.substr(0, file.rfind('/')));
        replace_all(command, "%t", temporary);
        commands.push_back(command);
    }
    return commands;
}

bool has_schedules(const std::vector<std::string>& words) {
    return std::ranges::any_of(words, [](const std::string& word) { return word.starts_with("--seed"); });
}
bool names_device(const std::vector<std::string>& words) {
    return std::ranges::any_of(words, [](const std::string& word) { return word.starts_with("--device"); });
}

// Nor files that it would write.
std::vector<std::string> without_checks(const std::vector<std::string>& words) {
    std::vector<std::string> kept;
    for (size_t i = 0; i < words.size(); ++i) {
        if (words[i] == "--check" || words[i] == "--engine" || words[i] == "--out")
            ++i;
        else if (!words[i].starts_with("--check=") && !words[i].starts_with("--engine=") &&
                 !words[i].starts_with("--out=") && words[i] != "--json")
            kept.push_back(words[i]);
    }
    return kept;
}

// What a checked run says, but for the engine, times, and results that the math unit's approximations may
// change by one (ruling 110).
json told(json all, bool counted) {
    json kept;
    for (const char* const key : {"file", "device", "exit_code", "warnings", "findings"})
        if (all.contains(key))
            kept[key] = all[key];
    for (json& error : all["errors"])
        kept["errors"].push_back(error);
    for (const json& launch : all["launches"])
        for (const char* const key : {"kernel", "ran", "finished", "counts", "fault"})
            // Generated code counts a block's instructions as it begins: also those behind a fault.
            if (launch.contains(key) &&
                (std::string_view(key) != "counts" || (counted && !launch.contains("fault"))))
                kept["launches"].push_back(launch[key]);
    return kept;
}

// The text of a run that a fault broke off, without how many instructions that took (as above).
std::string without_count(std::string text, const json& all) {
    const bool faulted =
        std::ranges::any_of(all["launches"], [](const json& launch) { return launch.contains("fault"); });
    const size_t end = text.rfind(" instructions, broken off");
    if (!faulted || end == text.npos)
        return text;
    const size_t begin = text.rfind(", ", end);
    return begin == text.npos ? text : text.erase(begin, end - begin);
}

class Twins {
public:
    Twins(std::string visor, std::vector<std::string> devices)
        : visor_(std::move(visor)), devices_(std::move(devices)) {}

    void file(const std::string& path) {
        for (const std::string& command : commands_of(path, folder_.path())) {
            const std::vector<std::string> words = without_checks(split(command, ' '));
            if (has_schedules(words)) {
                ++tally_.left_out;
            } else if (names_device(words) || devices_.empty()) {
                compare(words);
            } else {
                for (const std::string& device : devices_) {
                    std::vector<std::string> more = words;
                    more.insert(more.end(), {"--device", device});
                    compare(more);
                }
            }
        }
    }

    [[nodiscard]] const Tally& tally() const { return tally_; }

private:
    visor::test::Finished run(const std::vector<std::string>& words, const char* engine, bool as_json) {
        std::vector<std::string> all{visor_, "run"};
        all.insert(all.end(), words.begin(), words.end());
        all.insert(all.end(), {checks, "--engine", engine});
        if (as_json)
            all.emplace_back("--json");
        return visor::test::run(all);
    }

    void differ(const std::vector<std::string>& words, const std::string& what, const std::string& want,
                const std::string& got) {
        ++tally_.different;
        std::cout << "visor run";
        for (const std::string& word : words)
            std::cout << ' ' << word;
        std::cout << "\n  " << what << "\n  interpreter:\n" << want << "\n  JIT:\n" << got << '\n';
    }

    // Whether how much is executed depends on who comes first, as in loops that wait for others: the
    // interpreter itself counts differently under another schedule.
    bool counts_by_schedule(std::vector<std::string> words, const json& want) {
        words.emplace_back("--seed");
        words.emplace_back("");
        for (const char* const seed : {"1", "2", "3"}) {
            words.back() = seed;
            const json other = json::parse(run(words, "interp", true).out, nullptr, false);
            if (!other.is_discarded() && told(other, true) != told(want, true) &&
                told(other, false) == told(want, false))
                return true;
        }
        return false;
    }

    void compare(const std::vector<std::string>& words) {
        const auto want = run(words, "interp", true);
        const auto got = run(words, "jit", true);
        const json want_all = json::parse(want.out, nullptr, false);
        const json got_all = json::parse(got.out, nullptr, false);
        if (want_all.is_discarded() || got_all.is_discarded())
            return differ(words, "no JSON", want.out + want.err, got.out + got.err);
        if (!want_all.contains("findings") || want_all["launches"].empty()) { // it never came to a run
            ++tally_.left_out;
            return;
        }
        ++tally_.runs;
        const bool native = got_all.value("engine", "") == "jit";
        tally_.native += native ? 1 : 0;
        const bool counted =
            told(want_all, true) == told(got_all, true) || !counts_by_schedule(words, want_all);
        const json should = told(want_all, counted);
        const json is = told(got_all, counted);
        if (should != is || want.exit_code != got.exit_code)
            return differ(words, "the reports differ", should.dump(1), is.dump(1));
        if (is["findings"].empty())
            return;
        ++tally_.with_findings;
        if (native)
            for (const json& finding : is["findings"])
                tally_.rules.insert(finding.value("rule", ""));
        const auto want_text = run(words, "interp", false);
        const auto got_text = run(words, "jit", false);
        if (without_count(want_text.err, want_all) != without_count(got_text.err, got_all) ||
            want_text.exit_code != got_text.exit_code)
            differ(words, "the texts differ", want_text.err, got_text.err);
    }

    std::string visor_;
    std::vector<std::string> devices_;
    visor::test::TemporaryFolder folder_;
    Tally tally_;
};

bool all_fire(const Tally& tally) {
    bool all = true;
    for (const visor::check::Rule& rule : visor::check::rules) {
        const bool asked = !rule.of_application && (rule.kind == Kind::memory ||
                                                    rule.kind == Kind::conflict || rule.kind == Kind::align);
        if (!asked || tally.rules.contains(std::string(rule.id)))
            continue;
        all = false;
        std::cout << "no finding on the JIT: " << rule.id << '\n';
    }
    return all;
}

} // namespace

int main(int count, char** arguments) try {
    std::vector<std::string> words(arguments + 1, arguments + count);
    std::vector<std::string> devices;
    bool fires = false;
    while (!words.empty() && words.front().starts_with("--")) {
        if (words.front() == "--fires") {
            fires = true;
        } else if (words.front() == "--devices" && words.size() > 1) {
            words.erase(words.begin());
            devices = split(words.front(), ',');
        } else {
            words.clear();
            break;
        }
        words.erase(words.begin());
    }
    if (words.size() < 2) {
        std::cout << "jit_twins [--devices a,b] [--fires] VISOR FILE...\n";
        return EXIT_FAILURE;
    }
    Twins twins(words.front(), devices);
    for (size_t i = 1; i < words.size(); ++i)
        twins.file(words[i]);
    const Tally& tally = twins.tally();
    std::cout << tally.runs << " commands, " << tally.native << " with code of the JIT, "
              << tally.with_findings << " with findings, " << tally.left_out << " left out; "
              << tally.different << " differ\n";
    const bool fired = !fires || all_fire(tally);
    return tally.different == 0 && tally.native > 0 && fired ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& problem) { // what no JSON is
    std::cerr << problem.what() << '\n';
    return EXIT_FAILURE;
}
