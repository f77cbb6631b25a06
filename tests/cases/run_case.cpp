// Runs one self-contained test file: its comments hold the command, what it must print and its exit code, so
// that a file is read, and tried by hand, without knowing this program.
//
//   // RUN: visor run %s --groups 1 --hw-threads 1 --print out
//   // OUT: out = 1 2 3        one line of standard output, exactly; all of them, in order
//   // ERR: out of fuel        a part of standard error; all of them, in order
//   // NOT: a race              a part that standard error must not have
//   // EXIT: 124               0 when not given
//
// %s is the file, %d its folder, %t a temporary folder; in ERR a `%s:` is the file, too. Several RUN lines
// make several runs; OUT, ERR, NOT and EXIT belong to the RUN line before them.
#include "process/process.h"

#include <exception>
#include <iostream>
#include <sstream>
#include <string_view>

namespace {

struct Run {
    std::string command;
    std::vector<std::string> out;
    std::vector<std::string> err;
    std::vector<std::string> absent;
    int exit_code = 0;
};

std::string after(std::string_view line, std::string_view key) {
    std::string_view rest = line.substr(line.find(key) + key.size());
    if (!rest.empty() && rest.front() == ' ')
        rest.remove_prefix(1);
    return std::string(rest);
}

std::vector<Run> directives(const std::string& content) {
    std::vector<Run> runs;
    std::istringstream lines(content);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("// "))
            continue;
        const std::string_view body = std::string_view(line).substr(3);
        if (body.starts_with("RUN:"))
            runs.push_back({after(line, "RUN:"), {}, {}, {}, 0});
        else if (runs.empty())
            continue;
        else if (body.starts_with("OUT:"))
            runs.back().out.push_back(after(line, "OUT:"));
        else if (body.starts_with("ERR:"))
            runs.back().err.push_back(after(line, "ERR:"));
        else if (body.starts_with("NOT:"))
            runs.back().absent.push_back(after(line, "NOT:"));
        else if (body.starts_with("EXIT:"))
            runs.back().exit_code = std::stoi(after(line, "EXIT:"));
    }
    return runs;
}

void replace_all(std::string& text, std::string_view what, const std::string& with) {
    for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
}

// Words separated by blanks; quotes keep a word together.
std::vector<std::string> split(const std::string& command) {
    std::vector<std::string> words;
    std::string word;
    bool started = false;
    char quote = 0;
    for (const char c : command) {
        if (quote == 0 && (c == '"' || c == '\'')) {
            quote = c;
            started = true;
        } else if (c == quote) {
            quote = 0;
        } else if (quote == 0 && c == ' ') {
            if (started)
                words.push_back(word);
            word.clear();
            started = false;
        } else {
            word += c;
            started = true;
        }
    }
    if (started)
        words.push_back(word);
    return words;
}

bool check(const Run& run, const visor::test::Finished& finished) {
    bool good = true;
    const auto complain = [&](const std::string& what) {
        if (good)
            std::cout << "command: " << run.command << '\n';
        good = false;
        std::cout << what << '\n';
    };
    std::string expected;
    for (const std::string& line : run.out)
        expected += line + "\n";
    if (finished.out != expected)
        complain("standard output is\n" + finished.out + "and should be\n" + expected);
    size_t from = 0;
    for (const std::string& part : run.err) {
        const size_t at = finished.err.find(part, from);
        if (at == std::string::npos)
            complain("standard error lacks: " + part);
        else
            from = at + part.size();
    }
    for (const std::string& part : run.absent)
        if (finished.err.find(part) != std::string::npos)
            complain("standard error has: " + part);
    if (finished.exit_code != run.exit_code) {
        complain("exit code is " + std::to_string(finished.exit_code) + " and should be " +
                 std::to_string(run.exit_code));
    }
    if (!good)
        std::cout << "standard error was\n" << finished.err;
    return good;
}

int run_file(const std::string& visor, const std::string& file) {
    const std::vector<Run> runs = directives(visor::test::read_file(file));
    if (runs.empty()) {
        std::cout << file << ": no RUN line\n";
        return 1;
    }
    const visor::test::TemporaryFolder folder;
    bool good = true;
    for (const Run& run : runs) {
        std::string command = run.command;
        Run expected = run;
        for (std::string& part : expected.err)
            replace_all(part, "%s:", file + ":");
        replace_all(command, "%s", file);
        replace_all(command, "%d", file.substr(0, file.rfind('/')));
        replace_all(command, "%t", folder.path());
        std::vector<std::string> words = split(command);
        if (words.empty() || words[0] != "visor") {
            std::cout << "a RUN line starts with `visor`: " << run.command << '\n';
            return 1;
        }
        words[0] = visor;
        good = check(expected, visor::test::run(words)) && good;
    }
    std::cout << (good ? "passed" : "FAILED") << ": " << file << '\n';
    return good ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cout << "usage: run_case VISOR FILE\n";
        return 2;
    }
    try {
        return run_file(argv[1], argv[2]);
    } catch (const std::exception& error) {
        std::cout << error.what() << '\n';
        return 1;
    }
}
