#include "compile/locations.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

namespace visor::compile {

namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 2> library_names{"libocloc.so", "libocloc_legacy1.so"};
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
    const char* value = std::getenv(name);
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
    const Location location{real.string(), loader, root};
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

// Nobody else can have put anything there: this user's or the system's own, writable for nobody else.
bool is_trusted(const fs::path& path) {
    struct stat facts{};
    constexpr mode_t others = S_IWGRP | S_IWOTH;
    return lstat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode) &&
           (facts.st_uid == geteuid() || facts.st_uid == 0) && (facts.st_mode & others) == 0;
}

void add_unpacked(Locations& to) {
    const std::string folder = compiler_folder();
    std::error_code ignored;
    if (folder.empty() || !fs::exists(folder, ignored))
        return;
    std::vector<fs::path> all{folder};
    std::ranges::move(folders_in(folder), std::back_inserter(all));
    for (const fs::path& one : all) {
        if (!is_trusted(one)) {
            to.problems.push_back(fmt::format(
                "`{}` is left alone: it has to belong to this user, and nobody else may write to it",
                one.string()));
            if (one == all.front())
                return;
            continue;
        }
        if (one != all.front())
            std::ranges::move(locations_in(one), std::back_inserter(to.found));
    }
}

} // namespace

std::string compiler_folder() {
    if (const char* chosen = std::getenv("VISOR_COMPILER_DIR"); chosen != nullptr)
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
    std::string paths = variable("LD_LIBRARY_PATH");
    while (!paths.empty()) {
        const size_t end = std::min(paths.find(':'), paths.size());
        for (const char* name : library_names)
            if (end > 0)
                add(locations.found, fs::path(paths.substr(0, end)) / name, "", "/");
        paths.erase(0, end + 1);
    }
    for (const char* folder : system_folders)
        for (const char* name : library_names)
            add(locations.found, fs::path(folder) / name, "", "/");
    if (locations.found.empty()) // the loader may know other folders
        locations.found.push_back({library_names.front(), "", "/"});
    add_below(locations.found, intel_folder, intel_depth);
    add_unpacked(locations);
    return locations;
}

std::string looked_in() {
    return fmt::format("{}, {} and {}", fmt::join(system_folders, ", "), intel_folder,
                       compiler_folder().empty() ? "no folder of the user's" : compiler_folder());
}

} // namespace visor::compile
