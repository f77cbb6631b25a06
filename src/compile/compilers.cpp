#include "compile/compilers.h"

#include "compile/cache.h"
#include "compile/parts.h"
#include "isa/device.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <sys/stat.h>
#include <utility>

namespace visor::compile {

namespace {

namespace fs = std::filesystem;

constexpr double patience = 60; // seconds: a query compiles small programs
constexpr std::string_view bringer = "visor-bring-compiler";

// The script as it is installed, or by its name in the sources.
std::string advice() {
    const auto installed = is_where_built() ? std::unexpected(std::string()) : find_part(bringer);
    return fmt::format("`{}` brings newer ones for Debian 12 and 13",
                       installed ? fs::path(*installed).lexically_normal().string()
                                 : "scripts/setup compiler");
}

std::string identity_of(const std::string& path) {
    struct stat facts{};
    if (stat(path.c_str(), &facts) != 0)
        return path + " ?\n";
    return fmt::format("{} {} {}.{}\n", path, facts.st_size, facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec);
}

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

// ---- the cached description: lines of "key value"

std::string written(const Compiler& compiler) {
    std::string text = fmt::format("version {}\n", compiler.version);
    if (!compiler.igc_version.empty())
        text += fmt::format("igc {}\n", compiler.igc_version);
    for (const Target& target : compiler.targets)
        text += fmt::format("target {} {}\n", target.device, target.name);
    for (const std::string& library : compiler.libraries)
        text += "library " + identity_of(library);
    return text;
}

// Nothing when a library has changed since.
std::optional<Compiler> read(const std::string& text, const Location& location) {
    Compiler compiler;
    compiler.location = location;
    for (const std::string& line : lines_of(text)) {
        const size_t first = line.find(' ');
        if (first == std::string::npos)
            return std::nullopt;
        const std::string_view key = std::string_view(line).substr(0, first);
        const std::string value = line.substr(first + 1);
        const size_t second = value.find(' ');
        if (key == "version") {
            compiler.version = value;
        } else if (key == "igc") {
            compiler.igc_version = value;
        } else if (key == "target" && second != std::string::npos) {
            compiler.targets.push_back({value.substr(0, second), value.substr(second + 1)});
        } else if (key == "library") { // "/path size time", and a path may have blanks
            const size_t time = value.rfind(' ');
            const size_t size = time == std::string::npos || time == 0 ? time : value.rfind(' ', time - 1);
            if (size == std::string::npos || identity_of(value.substr(0, size)) != value + '\n')
                return std::nullopt;
            compiler.identity += value + '\n';
            compiler.libraries.push_back(value.substr(0, size));
        } else {
            return std::nullopt;
        }
    }
    return compiler.version.empty() ? std::nullopt : std::optional(std::move(compiler));
}

// Of a Debian package, in the list of what is installed or was unpacked.
std::string package_version(const fs::path& root, std::string_view package) {
    std::ifstream status(root / "var/lib/dpkg/status");
    bool is_it = false;
    for (std::string line; std::getline(status, line);) {
        constexpr std::string_view name = "Package: ";
        constexpr std::string_view version = "Version: ";
        if (line.starts_with(name))
            is_it = std::string_view(line).substr(name.size()) == package;
        else if (is_it && line.starts_with(version))
            return line.substr(version.size());
    }
    return "";
}

// "2.40.14" of "2.40.14-1", "1.0.17791.18" of "1.0.17791.18+1-3".
std::string igc_version_of(const Compiler& compiler) {
    const bool second = compiler.identity.contains("libigc.so.2");
    std::string version = package_version(compiler.location.root, second ? "libigc2" : "libigc1");
    version.erase(std::min(version.find_first_of("-+"), version.size()));
    return version;
}

// "22.43.24595" of "22.43.024595".
std::string plain_version(std::string_view version) {
    std::string out;
    bool leading = true;
    for (size_t i = 0; i < version.size(); ++i) {
        const bool digit = version[i] >= '0' && version[i] <= '9';
        const bool more = i + 1 < version.size() && version[i + 1] >= '0' && version[i + 1] <= '9';
        if (digit && leading && version[i] == '0' && more)
            continue;
        leading = version[i] == '.';
        if (version[i] > ' ' && version[i] <= '~')
            out += version[i];
    }
    return out.empty() ? "of unknown version" : out;
}

std::vector<uint64_t> numbers_of(std::string_view version) {
    std::vector<uint64_t> numbers;
    while (!version.empty()) {
        uint64_t number = 0;
        const auto [end, error] = std::from_chars(version.data(), version.data() + version.size(), number);
        numbers.push_back(error == std::errc() ? number : 0);
        const size_t dot = version.find('.');
        version = dot == std::string_view::npos ? std::string_view() : version.substr(dot + 1);
    }
    return numbers;
}

// Each device with its possible names in compilers.
Message description_question() {
    Message question{MessageKind::describe, {}};
    for (const isa::Device& device : isa::devices())
        question.fields.emplace_back(device.compiler_names);
    return question;
}

std::expected<Compiler, std::string> ask(const std::string& worker, const Location& location) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(patience);
    const auto answer =
        ask_worker(worker_command(worker, location), description_question(),
                   std::chrono::time_point_cast<std::chrono::steady_clock::duration>(deadline));
    if (!answer)
        return std::unexpected(answer.error().message);
    if (answer->kind == MessageKind::missing && answer->fields.size() == 1)
        return std::unexpected(answer->fields[0]);
    const size_t devices = isa::devices().size();
    if (answer->kind != MessageKind::described || answer->fields.size() != described_first_device + devices)
        return std::unexpected("the OpenCL compiler's process sent a damaged answer");
    Compiler out;
    out.location = location;
    out.version = plain_version(answer->fields[described_version]);
    out.libraries = lines_of(answer->fields[described_libraries]);
    for (size_t i = 0; i < devices; ++i) {
        const std::string& name = answer->fields[described_first_device + i];
        if (!name.empty())
            out.targets.push_back({isa::devices()[i].name, name});
    }
    for (const std::string& library : out.libraries)
        out.identity += identity_of(library);
    return out;
}

std::string key_of(const std::string& worker, const Location& location) {
    const char* paths = std::getenv("LD_LIBRARY_PATH");
    return fmt::format("compiler 2\n{}{}{}\n{}{}", identity_of(worker), identity_of(location.library),
                       location.loader, paths == nullptr ? "" : paths, description_question().fields.size());
}

std::expected<Compiler, std::string> describe(const std::string& worker, const Location& location) {
    const std::string folder = cache_folder();
    const Cache cache(folder, "compilers");
    const std::string key = key_of(worker, location);
    std::optional<Compiler> known;
    if (const auto kept = folder.empty() ? std::nullopt : cache.find(key))
        known = read(kept->zebin, location);
    if (!known) {
        auto asked = ask(worker, location);
        if (!asked)
            return std::unexpected(std::move(asked.error()));
        asked->igc_version = igc_version_of(*asked); // not for each build: lists of packages are long
        if (!folder.empty())
            cache.store(key, {.zebin = written(*asked), .log = {}});
        known = std::move(*asked);
    }
    return std::move(*known);
}

// ---- names

bool begins_version(std::string_view version, std::string_view name) {
    return version.starts_with(name) &&
           (version.size() == name.size() || version[name.size()] == '.' || name.ends_with('.'));
}

bool is_called(const Compiler& compiler, std::string_view name) {
    const bool system = compiler.location.loader.empty() && compiler.location.root == "/";
    return (name == "system" && system) || begins_version(compiler.version, name) ||
           begins_version(compiler.igc_version, name);
}

std::string chosen_name(std::string_view name) {
    if (!name.empty())
        return std::string(name);
    const char* variable = std::getenv("VISOR_COMPILER");
    return variable == nullptr ? "" : variable;
}

std::string list_of(const std::vector<Compiler>& compilers) {
    std::vector<std::string> items;
    for (const Compiler& compiler : compilers) {
        std::vector<std::string_view> devices;
        for (const Target& target : compiler.targets)
            devices.push_back(target.device);
        items.push_back(fmt::format("{} knows {}", compiler.title(), fmt::join(devices, ", ")));
    }
    return fmt::format("{}", fmt::join(items, "; "));
}

} // namespace

std::string Compiler::title() const {
    return igc_version.empty() ? fmt::format("ocloc {}", version)
                               : fmt::format("ocloc {} (IGC {})", version, igc_version);
}

const Target* Compiler::target_for(std::string_view device) const {
    const auto found = std::ranges::find(targets, device, &Target::device);
    return found == targets.end() ? nullptr : &*found;
}

void leave_delegated(std::vector<Compiler>& compilers) {
    for (Compiler& one : compilers) {
        const std::string legacy = fs::path(one.location.name).parent_path() / legacy_library;
        const auto other = std::ranges::find_if(
            compilers, [&](const Compiler& each) { return each.location.name == legacy; });
        if (other != compilers.end() && &*other != &one)
            std::erase_if(one.targets,
                          [&](const Target& target) { return other->target_for(target.device); });
    }
}

Command worker_command(const std::string& worker, const Location& location) {
    if (location.loader.empty())
        return {worker, {location.library}};
    std::error_code ignored;
    return {location.loader,
            {"--library-path", fs::path(location.library).parent_path().string(),
             fs::absolute(worker, ignored).string(), location.library}};
}

namespace {

Compilers search(const std::string& worker, const std::string& wanted) {
    const bool is_folder = wanted.contains('/');
    Locations locations = is_folder ? chosen_locations(wanted) : usual_locations();
    Compilers all{.found = {}, .problems = std::move(locations.problems)};
    for (const Location& location : locations.found) {
        auto compiler = describe(worker, location);
        if (!compiler)
            all.problems.push_back(fmt::format("`{}` does not work: {}", location.library, compiler.error()));
        else
            all.found.push_back(std::move(*compiler));
    }
    leave_delegated(all.found);
    if (!wanted.empty() && !is_folder)
        std::erase_if(all.found, [&](const Compiler& one) { return !is_called(one, wanted); });
    std::ranges::sort(all.found, [](const Compiler& one, const Compiler& other) {
        const auto [numbers, others] = std::pair(numbers_of(one.version), numbers_of(other.version));
        return numbers != others ? numbers > others : one.location.library < other.location.library;
    });
    return all;
}

std::string titles_of(const std::vector<Compiler>& compilers) {
    std::vector<std::string> titles;
    for (const Compiler& compiler : compilers)
        titles.push_back(compiler.title());
    return fmt::format("{}", fmt::join(titles, ", "));
}

std::string in_brackets(const std::vector<std::string>& problems) {
    std::string text;
    for (const std::string& problem : problems)
        text += fmt::format(" ({})", problem);
    return text;
}

Failure none_found(const std::string& worker, const std::string& name, const Compilers& all) {
    std::string message = "the OpenCL compiler is not installed";
    const std::vector<Compiler> others = name.empty() ? std::vector<Compiler>{} : search(worker, "").found;
    if (name.empty())
        message += fmt::format(" (looked for libocloc.so in {})", looked_in());
    else
        message = fmt::format("there is no OpenCL compiler `{}`", name);
    message += in_brackets(all.problems);
    if (!others.empty())
        message += fmt::format("; there is {}", titles_of(others));
    else
        message += fmt::format("; Debian 12 has one in the package intel-opencl-icd, and {}", advice());
    return {.kind = FailureKind::compiler_missing, .message = std::move(message), .log = {}};
}

} // namespace

Compilers find_compilers(const std::string& worker, std::string_view name) {
    return search(worker, chosen_name(name));
}

std::expected<Compiler, Failure> choose_compiler(const std::string& worker, std::string_view device,
                                                 std::string_view name) {
    const std::string wanted = chosen_name(name);
    Compilers all = search(worker, wanted);
    for (Compiler& compiler : all.found)
        if (compiler.target_for(device) != nullptr)
            return std::move(compiler);
    if (all.found.empty())
        return std::unexpected(none_found(worker, wanted, all));
    return std::unexpected(
        Failure{.kind = FailureKind::no_target,
                .message = fmt::format(
                    "no OpenCL compiler {} makes code for {}: {}{}; {}; vISA text for {} runs all the same",
                    wanted.empty() ? "of this system" : fmt::format("`{}`", wanted), device,
                    list_of(all.found), in_brackets(all.problems), advice(), device),
                .log = {}});
}

} // namespace visor::compile
