// oclgrind_compare VISOR FOLDER [--markdown FILE]
//
// Runs the OpenCL kernels of the checkers' cases (FOLDER and what lies below) with Visor and with Oclgrind, a
// simulator of OpenCL devices for the same purpose, with the same arguments: each RUN line of a case that
// says no more than sizes, options -D and generated arguments. Prints a table of what either says. A kernel
// in which Oclgrind finds something and Visor nothing fails, and so does one that is right (its RUN line
// expects no findings) and in which Visor finds something. With --markdown, the table in FILE has to be the
// one printed. Nothing here says how many findings are right.
#include "process/process.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <regex>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace visor;

constexpr int skipped = 77; // as CMakeLists.txt tells ctest
constexpr std::string_view crashed = "(it crashes)";
constexpr const char* simulator = "/usr/bin/oclgrind-kernel";

struct Trial {
    std::string file;
    std::string kernel;
    std::vector<std::string> words; // Visor's, without --check
    std::vector<std::string> definitions;
    std::vector<std::string> global;
    std::vector<std::string> local;
    std::vector<std::string> arguments;
    bool clean = true; // the case expects nothing
};

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, separator);)
        parts.push_back(part);
    return parts;
}

// The only kernel of a source.
std::string kernel_in(const std::string& content) {
    static const std::regex kernel("kernel\\s+void\\s+([A-Za-z_0-9]+)");
    std::set<std::string> names;
    for (std::sregex_iterator at(content.begin(), content.end(), kernel), end; at != end; ++at)
        names.insert((*at)[1]);
    return names.size() == 1 ? *names.begin() : "";
}

// "-DA -DB=1" in quotes or not, as words of the RUN line.
std::vector<std::string> words_of(const std::string& line) {
    std::vector<std::string> words;
    std::string word;
    bool quoted = false;
    for (const char c : line + " ") {
        if (c == '"')
            quoted = !quoted;
        else if (c == ' ' && !quoted) {
            if (!word.empty())
                words.push_back(word);
            word.clear();
        } else
            word += c;
    }
    return words;
}

// ---- arguments as Oclgrind reads them

struct Type {
    const char* visor;
    const char* oclgrind;
    size_t bytes;
};
constexpr Type types[] = {{"i8", "char", 1},  {"u8", "uchar", 1},  {"i32", "int", 4},   {"u32", "uint", 4},
                          {"i64", "long", 8}, {"f32", "float", 4}, {"f64", "double", 8}};

// "zeros:i32:64" as "<size=256 int fill=0>"; "" when there is no counterpart.
std::string simulator_argument(const std::string& argument) {
    const std::vector<std::string> parts = split(argument, ':');
    if (argument == "null")
        return "<null>";
    if (parts[0] == "local")
        return fmt::format("<size={}>", parts.at(1));
    const bool array = parts[0] == "zeros" || parts[0] == "iota" || parts[0] == "fill";
    const std::string& name = parts.size() > 1 ? parts[array ? 1 : 0] : "i32";
    const auto type = std::ranges::find_if(types, [&](const Type& one) { return name == one.visor; });
    if (type == std::end(types))
        return "";
    if (!array)
        return fmt::format("<size={} {}> {}", type->bytes, type->oclgrind, parts.back());
    if (parts.size() != (parts[0] == "fill" ? 4 : 3))
        return "";
    const size_t count = std::stoull(parts.at(2));
    return fmt::format("<size={} {} {}>", count * type->bytes, type->oclgrind,
                       parts[0] == "zeros"  ? "fill=0"
                       : parts[0] == "fill" ? "fill=" + parts[3]
                                            : fmt::format("range=0:1:{}", count - 1));
}

// ---- cases

// nullopt: the line says something that has no counterpart.
std::optional<Trial> trial_of(const std::string& file, const std::string& content, const std::string& line) {
    Trial trial{.file = file, .kernel = kernel_in(content), .words = {"run", file}};
    const std::vector<std::string> words = words_of(line);
    if (trial.kernel.empty() || words.size() < 3 || words[1] != "run" || words[2] != "%s")
        return std::nullopt;
    for (size_t i = 3; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word.starts_with("--check"))
            continue;
        const bool more = i + 1 < words.size();
        if (word == "-a") {
            for (++i; i < words.size() && !words[i].starts_with("--"); ++i)
                trial.arguments.push_back(words[i]);
            trial.words.emplace_back("-a");
            trial.words.insert(trial.words.end(), trial.arguments.begin(), trial.arguments.end());
            --i;
        } else if (more && (word == "-g" || word == "-l" || word == "--options")) {
            (word == "-g"   ? trial.global
             : word == "-l" ? trial.local
                            : trial.definitions) = split(words[i + 1], word == "--options" ? ' ' : ',');
            trial.words.insert(trial.words.end(), {word, words[i + 1]});
            ++i;
        } else if (more && word == "--print") {
            ++i;
        } else {
            return std::nullopt;
        }
    }
    const bool plain =
        std::ranges::all_of(trial.definitions,
                            [](const std::string& option) { return option.starts_with("-D"); }) &&
        std::ranges::none_of(trial.arguments, [](const std::string& argument) {
            return simulator_argument(argument).empty();
        });
    return plain && !trial.local.empty() ? std::optional(trial) : std::nullopt;
}

std::vector<Trial> trials_of(const std::string& file) {
    const std::string content = test::read_file(file);
    std::vector<Trial> trials;
    bool taken = false;
    for (const std::string& line : split(content, '\n')) {
        if (line.starts_with("// RUN: ")) {
            auto trial = trial_of(file, content, line.substr(8));
            taken = trial.has_value();
            if (taken)
                trials.push_back(std::move(*trial));
        } else if (taken) {
            const bool finds = line.starts_with("// EXIT: ") || line.starts_with("// FINDS") ||
                               (line.starts_with("// ERR: ") && !line.contains("no findings"));
            trials.back().clean = trials.back().clean && !finds;
        }
    }
    return trials;
}

// ---- Oclgrind

std::string sizes(const std::vector<std::string>& given) {
    return fmt::format("{} {} {}", given.at(0), given.size() > 1 ? given[1] : "1",
                       given.size() > 2 ? given[2] : "1");
}

// What Oclgrind calls it, without numbers: "read-write data race, local".
std::string kind_of(const std::string& headline) {
    const auto has = [&](std::string_view part) { return headline.contains(part); };
    const std::string space = has("local memory")     ? ", local"
                              : has("private memory") ? ", private"
                              : has("global memory")  ? ", global"
                                                      : "";
    for (const auto& [part, kind] : std::initializer_list<std::pair<const char*, const char*>>{
             {"Invalid read", "invalid read"},
             {"Invalid write", "invalid write"},
             {"Read-write data race", "data race"},
             {"Write-write data race", "data race"},
             {"Uninitialized", "uninitialized value"},
             {"Controlflow depends", "branch on an uninitialized value"},
             {"divergence", "divergence"},
             {"without waiting", "events not waited for"},
             {"exceeds static array size", "index past the array"},
             {"aligned", "unaligned"}})
        if (has(part))
            return kind + space;
    return headline;
}

std::set<std::string> ask_oclgrind(const Trial& trial) {
    const test::TemporaryFolder folder;
    std::string source;
    for (const std::string& definition : trial.definitions) {
        const size_t equals = definition.find('=');
        source += fmt::format("#define {} {}\n", definition.substr(2, equals - 2),
                              equals == std::string::npos ? "1" : definition.substr(equals + 1));
    }
    // What is Intel's own.
    source += "#define intel_reqd_sub_group_size(n)\n" + test::read_file(trial.file);
    test::write_file(folder.file("k.cl"), source);
    std::string simulation = fmt::format("{}\n{}\n{}\n{}\n", folder.file("k.cl"), trial.kernel,
                                         sizes(trial.global), sizes(trial.local));
    for (const std::string& argument : trial.arguments)
        simulation += simulator_argument(argument) + "\n";
    test::write_file(folder.file("k.sim"), simulation);
    const test::Finished finished = test::run(
        {simulator, "--data-races", "--uninitialized", "--max-errors", "100000", folder.file("k.sim")});
    if (finished.exit_code > 128)
        return {std::string(crashed)};
    if (finished.exit_code != 0)
        throw std::runtime_error(fmt::format("{}: oclgrind-kernel ends with {}: {}{}", trial.file,
                                             finished.exit_code, finished.out, finished.err));
    std::set<std::string> kinds;
    for (const std::string& line : split(finished.out + finished.err, '\n'))
        if (!line.empty() && line[0] != '\t' && line[0] != ' ')
            kinds.insert(kind_of(line));
    return kinds;
}

// ---- Visor

struct Said {
    std::set<std::string> errors;
    std::set<std::string> notes;
};

Said ask_visor(const std::string& visor, const Trial& trial) {
    std::vector<std::string> words{visor};
    words.insert(words.end(), trial.words.begin(), trial.words.end());
    words.insert(words.end(), {"--check=all", "--json"});
    const test::Finished finished = test::run(words);
    const auto object = nlohmann::json::parse(finished.out, nullptr, false);
    if (object.is_discarded())
        throw std::runtime_error("visor: " + finished.err);
    Said said;
    for (const auto& finding : object.value("findings", nlohmann::json::array()))
        (finding["severity"] == "error" ? said.errors : said.notes).insert(finding["rule"]);
    for (const auto& launch : object["launches"])
        if (launch.contains("fault"))
            said.errors.insert(fmt::format("fault ({})", launch["fault"]["kind"].get<std::string>()));
    return said;
}

// ---- the table

std::string cell(const std::set<std::string>& words) {
    return words.empty() ? "-" : fmt::format("{}", fmt::join(words, "; "));
}

struct Counts {
    size_t trials = 0, seeded = 0, both = 0, only_visor = 0, only_oclgrind = 0, neither = 0;
    size_t wrong_visor = 0, wrong_oclgrind = 0; // findings in kernels that are right
};

std::string row(const std::string& visor, const Trial& trial, Counts& counts) {
    const Said said = ask_visor(visor, trial);
    const std::set<std::string> other = ask_oclgrind(trial);
    const bool found = !other.empty() && !other.contains(std::string(crashed));
    ++counts.trials;
    if (trial.clean) {
        counts.wrong_visor += said.errors.empty() ? 0 : 1;
        counts.wrong_oclgrind += found ? 1 : 0;
    } else {
        ++counts.seeded;
        ++(said.errors.empty() ? (found ? counts.only_oclgrind : counts.neither)
                               : (found ? counts.both : counts.only_visor));
    }
    if (trial.clean && said.errors.empty() && other.empty())
        return ""; // as it should be
    std::string name = std::filesystem::path(trial.file).stem().string();
    for (const std::string& definition : trial.definitions)
        if (definition != "-DBUG")
            name += " " + definition;
    std::string mine = cell(said.errors);
    if (said.errors.empty() && !said.notes.empty())
        mine = "note: " + cell(said.notes);
    return fmt::format("| `{}`{} | {} | {} |\n", name, trial.clean ? " (right)" : "", mine, cell(other));
}

int run(const std::string& visor, const std::string& folder, const std::string& markdown) {
    std::vector<std::string> files;
    // Those in `rules` are of one device's memory, or of launch files.
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.path().extension() == ".cl" && entry.path().parent_path().filename() != "rules")
            files.push_back(entry.path().string());
    std::ranges::sort(files);
    Counts counts;
    std::string table = "| kernel | Visor | Oclgrind |\n|---|---|---|\n";
    size_t sources = 0;
    for (const std::string& file : files) {
        const std::vector<Trial> trials = trials_of(file);
        sources += trials.empty() ? 0 : 1;
        for (const Trial& trial : trials)
            table += row(visor, trial, counts);
    }
    table += fmt::format(
        "\n{} launches of {} sources, {} of them with a mistake in it: both find something in {}, "
        "Visor alone in {}, Oclgrind alone in {}, neither in {}. In the {} right ones Visor has "
        "findings in {}, Oclgrind in {}.\n",
        counts.trials, sources, counts.seeded, counts.both, counts.only_visor, counts.only_oclgrind,
        counts.neither, counts.trials - counts.seeded, counts.wrong_visor, counts.wrong_oclgrind);
    fmt::print("{}", table);
    bool good = counts.only_oclgrind == 0 && counts.wrong_visor == 0;
    if (!markdown.empty() && !test::read_file(markdown).contains(table)) {
        fmt::print("{} does not have this table\n", markdown);
        good = false;
    }
    return good ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    const std::span words(argv, static_cast<size_t>(argc));
    const bool told = words.size() == 5 && std::string_view(words[3]) == "--markdown";
    if (words.size() != 3 && !told) {
        fmt::print(stderr, "usage: oclgrind_compare VISOR FOLDER [--markdown FILE]\n");
        return 2;
    }
    try {
        if (!std::filesystem::exists(simulator)) {
            fmt::print("Oclgrind is missing (`scripts/setup test` installs it)\n");
            return skipped;
        }
        return run(words[1], words[2], told ? words[4] : "");
    } catch (const std::exception& error) {
        fmt::print(stderr, "oclgrind_compare: {}\n", error.what());
        return 2;
    }
}
