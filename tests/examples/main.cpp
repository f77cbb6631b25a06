// Runs one example's check on one device, or looks at what is written about the examples.
//   example_check NAME VISOR SOURCE DEVICE EXCEPTIONS
//   example_check --command VISOR SOURCE      runs the command that stands in the source's first comment
//   example_check --table EXAMPLES_FOLDER EXCEPTIONS
#include "examples/exceptions.h"
#include "examples/host.h"

#include "process/process.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

using namespace visor::test;

namespace {

constexpr int skipped = 77; // as CMakeLists.txt tells ctest

// What `check` says goes to `said`.
bool listen(const Check& check, Example& example, std::string& said) {
    std::ostringstream kept;
    std::streambuf* const usual = std::cout.rdbuf(kept.rdbuf());
    const bool passed = check.passes(example);
    std::cout.rdbuf(usual);
    said = kept.str();
    std::cout << said;
    return passed;
}

// An exception holds as long as the check fails for its reason.
bool verdict(const Exception* exception, bool passed, const std::string& said) {
    if (exception == nullptr)
        return passed;
    std::cout << "exception: " << exception->reason << '\n';
    if (passed)
        std::cout << "STALE EXCEPTION: this passes now; remove the line from exceptions.txt\n";
    else if (said.find(exception->said) == std::string::npos)
        std::cout << "it fails, but does not say `" << exception->said << "`\n";
    else
        return true;
    return false;
}

int run_check(std::string_view name, const Place& place, const std::vector<Exception>& exceptions) {
    const std::vector<Check> checks = all_checks();
    const auto check = std::ranges::find(checks, name, &Check::name);
    if (check == checks.end()) {
        std::cout << "no check of this name: " << name << '\n';
        return 1;
    }
    if (place.device == "pocl" && !pocl_is_there()) {
        std::cout << "PoCL is missing: nothing was compared with it (`scripts/setup test` installs it)\n";
        return std::getenv("VISOR_TEST_NEEDS_POCL") != nullptr ? 1 : skipped;
    }
    const auto exception = std::ranges::find_if(exceptions, [&](const Exception& candidate) {
        return candidate.example == name && candidate.device == place.device;
    });
    Example example(place, place.device == "pocl" ? run_on_pocl : run_on_visor);
    std::string said;
    const bool passed = listen(*check, example, said);
    return verdict(exception == exceptions.end() ? nullptr : &*exception, passed, said) ? 0 : 1;
}

std::set<std::string> folders_with_source(const std::string& folder) {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (std::filesystem::exists(entry.path() / (name + ".cl")))
            names.insert(name);
    }
    return names;
}

// The row of README.md's table: the source's first comment, up to its first empty line.
std::string row_of(const std::string& name, const std::string& source) {
    std::string said;
    std::istringstream lines(source);
    for (std::string line; std::getline(lines, line) && line.size() > 3 && line.starts_with("// ");)
        said += (said.empty() ? "" : " ") + line.substr(3);
    return "| [" + name + "](" + name + '/' + name + ".cl) | " + said + " |";
}

std::set<std::string> rows_of(const std::string& text) {
    std::set<std::string> rows;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("| ["))
            rows.insert(line);
    }
    return rows;
}

bool equal_sets(const char* what, const std::set<std::string>& got, const std::set<std::string>& wanted) {
    std::vector<std::string> differences;
    std::ranges::set_symmetric_difference(got, wanted, std::back_inserter(differences));
    for (const std::string& name : differences)
        std::cout << what << ' ' << name
                  << (got.contains(name) ? " belongs to no example\n" : " is missing\n");
    return differences.empty();
}

int check_table(const std::string& folder, const std::vector<Exception>& exceptions) {
    const std::set<std::string> sources = folders_with_source(folder);
    std::set<std::string> checked;
    for (const Check& check : all_checks())
        checked.emplace(check.name);
    std::set<std::string> rows;
    for (const std::string& name : sources)
        rows.insert(row_of(name, read_file(folder + '/' + name + '/' + name + ".cl")));
    bool good = equal_sets("the check", checked, sources);
    good = equal_sets("in README.md the row", rows_of(read_file(folder + "/README.md")), rows) && good;
    for (const Exception& exception : exceptions) {
        if (!sources.contains(exception.example)) {
            std::cout << "exceptions.txt names " << exception.example << ", which is no example\n";
            good = false;
        }
    }
    return good ? 0 : 1;
}

// The words of the first comment from `visor` to the end of its paragraph.
std::vector<std::string> command_of(const std::string& source) {
    std::vector<std::string> words;
    std::istringstream lines(source);
    for (std::string line; std::getline(lines, line) && line.starts_with("//");) {
        std::istringstream parts(line.substr(2));
        for (std::string word; parts >> word;) {
            if (!words.empty() || word == "visor")
                words.push_back(word);
        }
        if (!words.empty() && line == "//")
            break;
    }
    return words;
}

int check_command(const std::string& visor, const std::string& source) {
    std::vector<std::string> command = command_of(read_file(source));
    if (command.size() < 3) {
        std::cout << "no command in " << source << '\n';
        return 1;
    }
    command[0] = visor;
    command[2] = source;
    // What it reads stands among the examples.
    const std::string folder_of_all =
        std::filesystem::path(source).parent_path().parent_path().string() + "/";
    constexpr std::string_view given = "@examples/";
    for (std::string& word : command) {
        if (const size_t at = word.find(given); at != std::string::npos)
            word.replace(at + 1, given.size() - 1, folder_of_all);
    }
    const TemporaryFolder folder; // for what the command writes
    std::filesystem::current_path(folder.path());
    const Finished finished = run(command);
    std::filesystem::current_path("/");
    std::cout << finished.out << finished.err;
    return finished.exit_code;
}

} // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.size() == 3 && arguments[0] == "--command")
        return check_command(arguments[1], arguments[2]);
    const bool table = arguments.size() == 3 && arguments[0] == "--table";
    if (!table && arguments.size() != 5) {
        std::cout << "usage: example_check NAME VISOR SOURCE DEVICE EXCEPTIONS\n";
        return 2;
    }
    const auto exceptions = read_exceptions(read_file(arguments.back()));
    if (!exceptions) {
        std::cout << "no exception: " << exceptions.error() << '\n';
        return 1;
    }
    if (table)
        return check_table(arguments[1], *exceptions);
    return run_check(arguments[0], {arguments[1], arguments[2], arguments[3]}, *exceptions);
}
