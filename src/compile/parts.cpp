#include "compile/parts.h"

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace visor::compile {

namespace {

namespace fs = std::filesystem;

constexpr const char* worker_name = "visor-compile-worker";

// The file that is mapped at an address. The loader's own name of a library may be relative to a folder that
// is no longer the working folder, and a program's name is whatever its parent said.
fs::path file_at(uintptr_t address) {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) { // "from-end rights offset device inode  /path"
        uintptr_t from = 0;
        uintptr_t end = 0;
        const char* const last = line.data() + line.size();
        const auto first = std::from_chars(line.data(), last, from, 16);
        if (first.ptr == last || std::from_chars(first.ptr + 1, last, end, 16).ec != std::errc())
            continue;
        const size_t path = line.find('/');
        if (from <= address && address < end && path != std::string::npos)
            return line.substr(path);
    }
    return {};
}

std::vector<fs::path> folders_of_parts() {
    if (const char* chosen = secure_getenv("VISOR_LIBEXEC"); chosen != nullptr && *chosen != '\0')
        return {chosen};
    std::vector<fs::path> folders;
    if (const fs::path& own = own_folder(); !own.empty()) {
        folders.push_back(own);
        folders.push_back(own / "../libexec/visor");
        folders.push_back(own / "../../libexec/visor"); // of a library in lib/<architecture>
        if (is_where_built())
            folders.emplace_back(VISOR_BUILD_FOLDER "/libexec/visor");
    }
    if (constexpr std::string_view installed = VISOR_INSTALL_LIBEXEC; !installed.empty())
        folders.emplace_back(installed);
    return folders;
}

} // namespace

const fs::path& own_folder() {
    // Never destroyed: threads may call it while the program exits.
    static const auto* const folder =
        new fs::path(file_at(reinterpret_cast<uintptr_t>(&own_folder)).parent_path());
    return *folder;
}

bool is_where_built() {
    constexpr std::string_view built = VISOR_BUILD_FOLDER; // "" of a wheel
    const fs::path relative = own_folder().lexically_relative(built);
    return !built.empty() && !relative.empty() && *relative.begin() != "..";
}

std::expected<std::string, std::string> find_worker() {
    return find_part(worker_name);
}

std::expected<std::string, std::string> find_part(std::string_view file) {
    std::string looked;
    for (const fs::path& folder : folders_of_parts()) {
        std::string program = (folder / file).string();
        if (access(program.c_str(), R_OK) == 0)
            return program;
        looked += fmt::format("{}`{}`", looked.empty() ? "" : ", ", folder.string());
    }
    return std::unexpected(fmt::format("Visor's own program `{}` is missing; looked in {}", file, looked));
}

} // namespace visor::compile
