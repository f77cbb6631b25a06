#include "compile/locations.h"

#include "compile/search_path.h"
#include "compile/trust.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

namespace visor::compile {

namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 2> library_names{"libocloc.so", legacy_library};
constexpr std::array<const char*, 6> library_folders{
    "", "lib", "lib64", "lib/x86_64-linux-gnu", "usr/lib/x86_64-linux-gnu", "usr/lib",
};
constexpr std::array<const char*, 6> system_folders{
    "/usr/lib/x86_64-linux-gnu",       "/usr/lib64",       "/usr/lib",
    "/usr/local/lib/x86_64-linux-gnu", "/usr/local/lib64", "/usr/local/lib",
};
constexpr const char* loader_name = "ld-linux-x86-64.so.2";
constexpr const char* intel_folder = "/opt/intel";
constexpr int intel_depth = 4; // /opt/intel/oneapi/ocloc/2025.2/lib

std::string variable(const char* name) {
    const char* value = secure_getenv(name);
    return value == nullptr ? "" : value;
}

bool is_file(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

// The library's real path: two names of one file are one compiler.
void add(std::vector<Location>& to, const fs::path& library, const std::string& loader,
         const std::string& root) {
    std::error_code missing;
    const fs::path real = fs::canonical(library, missing);
    if (missing || !is_file(real))
        return;
    const Location location{real.string(), loader, root, library.string()};
    if (std::ranges::find(to, location.library, &Location::library) == to.end())
        to.push_back(location);
}

std::vector<fs::path> folders_in(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code error;
    for (fs::directory_iterator at(folder, error); !error && at != fs::directory_iterator();
         at.increment(error)) {
        std::error_code ignored;
        if (at->is_directory(ignored) && !at->path().filename().string().starts_with('.'))
            found.push_back(at->path());
    }
    std::ranges::sort(found);
    return found;
}

void add_below(std::vector<Location>& to, const fs::path& folder, int depth) {
    for (const char* name : library_names)
        add(to, folder / name, "", "/");
    if (depth == 0)
        return;
    for (const fs::path& below : folders_in(folder))
        add_below(to, below, depth - 1);
}

std::string left_alone(const std::string& path, const std::string& culprit) {
    return fmt::format("`{}` is left alone: {} to belong to this user or to root, and nobody else may write "
                       "to it",
                       path, culprit == path ? "it has" : fmt::format("`{}` has", culprit));
}

// The library, its loader, and all files that the loader may load from its folder.
std::optional<std::string> distrusted_part(const Location& location) {
    if (auto name = distrusted(location.name))
        return name;
    if (location.loader.empty())
        return std::nullopt;
    std::error_code error;
    std::error_code ignored;
    for (fs::directory_iterator at(fs::path(location.loader).parent_path(), error);
         !error && at != fs::directory_iterator(); at.increment(error))
        if (!at->is_directory(ignored))
            if (auto name = distrusted(at->path()))
                return name;
    return std::nullopt;
}

void add_trusted(Locations& to, const std::vector<Location>& found) {
    for (const Location& location : found) {
        if (const auto name = distrusted_part(location))
            to.problems.push_back(left_alone(location.library, *name));
        else if (std::ranges::find(to.found, location.library, &Location::library) == to.found.end())
            to.found.push_back(location);
    }
}

void add_unpacked(Locations& to) {
    const std::string folder = compiler_folder();
    std::error_code ignored;
    if (folder.empty() || !fs::exists(folder, ignored))
        return;
    if (const auto name = distrusted(folder)) {
        to.problems.push_back(left_alone(folder, *name));
        return;
    }
    for (const fs::path& one : folders_in(folder)) {
        if (const auto name = distrusted(one))
            to.problems.push_back(left_alone(one.string(), *name));
        else
            add_trusted(to, locations_in(one));
    }
}

} // namespace

std::string compiler_folder() {
    if (const char* chosen = secure_getenv("VISOR_COMPILER_DIR"); chosen != nullptr)
        return chosen;
    if (const std::string data = variable("XDG_DATA_HOME"); data.starts_with('/'))
        return data + "/visor/compilers";
    const std::string home = variable("HOME");
    return home.empty() ? "" : home + "/.local/share/visor/compilers";
}

std::vector<Location> locations_in(const fs::path& folder) {
    std::vector<Location> found;
    std::error_code ignored;
    const fs::path whole = fs::absolute(folder, ignored);
    const bool has_list = is_file(whole / "var/lib/dpkg/status");
    for (const char* inner : library_folders) {
        const fs::path at = *inner == '\0' ? whole : whole / inner;
        const std::string loader = is_file(at / loader_name) ? (at / loader_name).string() : "";
        for (const char* name : library_names)
            add(found, at / name, loader, has_list ? whole.string() : "/");
    }
    return found;
}

Locations usual_locations() {
    Locations locations;
    for (const std::string& folder : folders_of_variable("LD_LIBRARY_PATH"))
        for (const char* name : library_names)
            add(locations.found, fs::path(folder) / name, "", "/");
    for (const char* folder : system_folders)
        for (const char* name : library_names)
            add(locations.found, fs::path(folder) / name, "", "/");
    if (locations.found.empty()) // the loader may know other folders
        locations.found.push_back({library_names.front(), "", "/", ""});
    std::vector<Location> intel;
    add_below(intel, intel_folder, intel_depth);
    add_trusted(locations, intel);
    add_unpacked(locations);
    return locations;
}

Locations chosen_locations(const fs::path& folder) {
    Locations locations;
    add_trusted(locations, locations_in(folder));
    return locations;
}

std::string looked_in() {
    return fmt::format("{}, {} and {}", fmt::join(system_folders, ", "), intel_folder,
                       compiler_folder().empty() ? "no folder of the user's" : compiler_folder());
}

} // namespace visor::compile
