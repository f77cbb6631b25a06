// Every rule that a checker can name has a case under tests/cases/check that fires, with its message
// compared, and a near-twin in the same file of which it says nothing; those of applications have one among
// tests/opencl's ways to misuse memory. The cases are run by themselves; here only what they hold is looked
// at. That a checker names no other rule is asserted where findings are made.
#include "check/rules.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace visor::check {
namespace {

struct Command {
    std::string command;
    std::vector<std::string> said;
    std::vector<std::string> absent;
};

std::vector<Command> runs_of(const std::filesystem::path& path) {
    std::vector<Command> runs;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("// RUN: "))
            runs.push_back({line.substr(8), {}, {}});
        else if (!runs.empty() && line.starts_with("// ERR: "))
            runs.back().said.push_back(line.substr(8));
        else if (!runs.empty() && line.starts_with("// NOT: "))
            runs.back().absent.push_back(line.substr(8));
    }
    return runs;
}

const std::vector<std::vector<Command>>& cases() {
    static const std::vector<std::vector<Command>> all = [] {
        std::vector<std::vector<Command>> files;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(VISOR_CHECK_CASES))
            if (entry.path().extension() == ".cl" || entry.path().extension() == ".visaasm")
                files.push_back(runs_of(entry.path()));
        return files;
    }();
    return all;
}

bool checks_for(const Command& run, Kind kind) {
    const size_t at = run.command.find("--check=");
    if (at == std::string::npos)
        return false;
    const std::string kinds = run.command.substr(at, run.command.find(' ', at) - at);
    return kinds.ends_with("all") || kinds.find(kind_names[static_cast<size_t>(kind)]) != std::string::npos;
}

// A message, and the rule behind it.
bool fires(const Command& run, const Rule& rule) {
    constexpr size_t shortest_message = 20;
    const std::string tag = "[" + std::string(rule.id) + "]";
    return std::ranges::any_of(run.said, [&](const std::string& line) {
        const size_t at = line.find(tag);
        return at != std::string::npos && at >= shortest_message;
    });
}

bool is_silent(const Command& run, const Rule& rule) {
    const std::string tag = "[" + std::string(rule.id) + "]";
    if (!checks_for(run, rule.kind))
        return false;
    if (std::ranges::find(run.absent, tag) != run.absent.end())
        return true;
    // An error would be a finding, a note would not.
    return rule.error && std::ranges::find(run.said, "no findings") != run.said.end();
}

TEST(Rules, EachHasACaseThatFiresAndATwinThatDoesNot) {
    ASSERT_FALSE(cases().empty());
    for (const Rule& rule : rules) {
        if (rule.of_application)
            continue;
        const bool found = std::ranges::any_of(cases(), [&](const std::vector<Command>& runs) {
            return std::ranges::any_of(runs, [&](const Command& run) { return fires(run, rule); }) &&
                   std::ranges::any_of(runs, [&](const Command& run) { return is_silent(run, rule); });
        });
        EXPECT_TRUE(found) << "no pair of cases for " << rule.id;
    }
}

TEST(Rules, EachOfApplicationsHasAMisuse) {
    std::ifstream file(VISOR_MISUSE_CASES);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    ASSERT_FALSE(text.empty());
    for (const Rule& rule : rules) {
        if (rule.of_application) {
            EXPECT_NE(text.find(", \"" + std::string(rule.id) + "\","), std::string::npos)
                << "no misuse for " << rule.id;
        }
    }
}

TEST(Rules, NamesAreTheirsAlone) {
    for (const Rule& rule : rules) {
        EXPECT_EQ(std::ranges::count(rules, rule.id, &Rule::id), 1) << rule.id;
        EXPECT_EQ(rule_named(rule.id)->about, rule.about);
    }
    EXPECT_EQ(rule_named("no-such-rule"), nullptr);
}

} // namespace
} // namespace visor::check
