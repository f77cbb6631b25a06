// Runs one example's check on one device, or looks at what is written about the examples.
//   example_check NAME VISOR SOURCE DEVICE EXCEPTIONS
//   example_check --command VISOR SOURCE      runs the command that stands in the source's first comment
//   example_check --captured VISOR SOURCE     captures what that command launches, and launches it again
//   example_check --table EXAMPLES_FOLDER EXCEPTIONS
//   example_check --engines NAME VISOR SOURCE DEVICE EXCEPTIONS APPROXIMATE
//                                             runs the check on both engines and compares their bits
#include "examples/engines.h"
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

// What `run` prints goes to `said` as well.
template <class Run>
auto listen(const Run& run, std::string& said) {
    std::ostringstream kept;
    std::streambuf* const usual = std::cout.rdbuf(kept.rdbuf());
    const auto result = run();
    std::cout.rdbuf(usual);
    said = kept.str();
    std::cout << said;
    return result;
}

const Check* check_of(const std::vector<Check>& checks, std::string_view name) {
    const auto check = std::ranges::find(checks, name, &Check::name);
    if (check != checks.end())
        return &*check;
    std::cout << "no check of this name: " << name << '\n';
    return nullptr;
}

const Exception* exception_of(const std::vector<Exception>& exceptions, std::string_view name,
                              const Place& place) {
    const auto exception = std::ranges::find_if(exceptions, [&](const Exception& candidate) {
        return candidate.example == name && candidate.device == place.device;
    });
    return exception == exceptions.end() ? nullptr : &*exception;
}

// An exception holds as long as the check fails for its reason.
bool verdict(const Exception* exception, bool passed, const std::string& said) {
    if (exception == nullptr)
        return passed;
    std::cout << "exception: " << exception->reason << '\n';
    if (passed)
        std::cout << "STALE EXCEPTION: this passes now; remove the line\n";
    else if (said.find(exception->said) == std::string::npos)
        std::cout << "it fails, but does not say `" << exception->said << "`\n";
    else
        return true;
    return false;
}

int run_check(std::string_view name, const Place& place, const std::vector<Exception>& exceptions) {
    const std::vector<Check> checks = all_checks();
    const Check* const check = check_of(checks, name);
    if (check == nullptr)
        return 1;
    if (place.device == "pocl" && !pocl_is_there()) {
        std::cout << "PoCL is missing: nothing was compared with it (`scripts/setup test` installs it)\n";
        return std::getenv("VISOR_TEST_NEEDS_POCL") != nullptr ? 1 : skipped;
    }
    Example example(place, place.device == "pocl" ? run_on_pocl : run_on_visor);
    std::string said;
    const bool passed = listen([&] { return check->passes(example); }, said);
    return verdict(exception_of(exceptions, name, place), passed, said) ? 0 : 1;
}

int run_on_engines(std::string_view name, const Place& place, const std::vector<Exception>& exceptions,
                   const std::vector<Exception>& approximate) {
    const std::vector<Check> checks = all_checks();
    const Check* const check = check_of(checks, name);
    if (check == nullptr)
        return 1;
    if (exception_of(exceptions, name, place) != nullptr)
        return skipped; // neither engine runs it
    std::string said;
    const Agreement agreement = listen([&] { return compare_engines(*check, place); }, said);
    if (agreement == Agreement::wrong)
        return 1;
    return verdict(exception_of(approximate, name, place), agreement == Agreement::same, said) ? 0 : 1;
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
    std::ostringstream row;
    row << "| [" << name << "](" << name << '/' << name << ".cl) |";
    std::istringstream lines(source);
    for (std::string line; std::getline(lines, line) && line.size() > 3 && line.starts_with("// ");)
        row << ' ' << line.substr(3);
    row << " |";
    return row.str();
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
        rows.insert(row_of(name, read_file(std::filesystem::path(folder) / name / (name + ".cl"))));
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

// With what it reads where it lies; fewer than three words: there is none.
std::vector<std::string> located_command(const std::string& visor, const std::string& source) {
    std::vector<std::string> command = command_of(read_file(source));
    if (command.size() < 3) {
        std::cout << "no command in " << source << '\n';
        return {};
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
    return command;
}

int check_command(const std::string& visor, const std::string& source) {
    const std::vector<std::string> command = located_command(visor, source);
    if (command.empty())
        return 1;
    const TemporaryFolder folder; // for what the command writes
    std::filesystem::current_path(folder.path());
    const Finished finished = run(command);
    std::filesystem::current_path("/");
    std::cout << finished.out << finished.err;
    return finished.exit_code;
}

// Each captured launch, bit by bit.
bool replay(const std::string& visor, const std::string& captured, const char* engine) {
    bool good = true;
    size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(captured)) {
        const Finished again = run({visor, "run", entry.path().string(), "--engine", engine});
        const std::string file = read_file((entry.path() / "launch.json").string());
        const bool has_arrays = file.find("\"arrays\": {}") == std::string::npos;
        const bool met = again.err.find(" met") != std::string::npos;
        good = good && again.exit_code == 0 && met == has_arrays;
        std::cout << entry.path().filename().string() << ' ' << engine << ": " << again.err;
        ++count;
    }
    return good && count != 0;
}

// On the engine that captured; on the other one, too, where no instruction may differ in its last bit.
bool captured_by(const std::vector<std::string>& command, const std::string& engine, const char* device,
                 size_t& ran) {
    const TemporaryFolder folder;
    const std::string captured = folder.path() + "/captured";
    std::vector<std::string> words = command;
    words.insert(words.begin() + 2, {"--engine", engine, "--capture", captured});
    if (std::ranges::find(words, "--device") == words.end())
        words.insert(words.begin() + 2, {"--device", device});
    std::filesystem::current_path(folder.path()); // for what the command writes
    const Finished finished = run(words);
    std::filesystem::current_path("/");
    std::cout << device << ' ' << engine << ": " << finished.err;
    if (finished.exit_code != 0) // the device does not run it
        return true;
    ++ran;
    const bool is_exact = finished.err.find("; exact") != std::string::npos;
    const char* const other = engine == "jit" ? "interp" : "jit";
    return replay(command[0], captured, engine.c_str()) && (!is_exact || replay(command[0], captured, other));
}

int check_captured(const std::string& visor, const std::string& source) {
    const std::vector<std::string> command = located_command(visor, source);
    if (command.empty())
        return 1;
    size_t ran = 0;
    bool good = true;
    for (const char* device : {"skl", "pvc"})
        for (const char* engine : {"interp", "jit"})
            good = captured_by(command, engine, device, ran) && good;
    return good && ran != 0 ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const auto begins = [&](std::string_view word, size_t count) {
        return arguments.size() == count && arguments[0] == word;
    };
    if (begins("--command", 3))
        return check_command(arguments[1], arguments[2]);
    if (begins("--captured", 3))
        return check_captured(arguments[1], arguments[2]);
    const bool table = begins("--table", 3);
    const bool engines = begins("--engines", 7);
    if (!table && !engines && arguments.size() != 5) {
        std::cout << "usage: example_check NAME VISOR SOURCE DEVICE EXCEPTIONS\n";
        return 2;
    }
    const auto exceptions = read_exceptions(read_file(engines ? arguments[5] : arguments.back()));
    const auto approximate = engines ? read_exceptions(read_file(arguments[6])) : std::vector<Exception>{};
    for (const auto* const read : {&exceptions, &approximate}) {
        if (!*read) {
            std::cout << "no exception: " << read->error() << '\n';
            return 1;
        }
    }
    if (table)
        return check_table(arguments[1], *exceptions);
    const size_t first = engines ? 1 : 0;
    const Place place{arguments[first + 1], arguments[first + 2], arguments[first + 3]};
    return engines ? run_on_engines(arguments[1], place, *exceptions, *approximate)
                   : run_check(arguments[0], place, *exceptions);
}
