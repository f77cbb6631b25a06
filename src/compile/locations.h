// Possible locations of OpenCL compilers on this machine. It only uses file names; compilers.h queries the
// compilers.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace visor::compile {

// A library with ocloc's interface, and what a process that loads it is started with.
struct Location {
    std::string library; // path; a plain name: where the system's loader finds it
    std::string loader;  // its own dynamic loader, with the C library of its folder; "": the system's
    std::string root;    // where its packages are listed, below var/lib/dpkg/status: "/", or its own folder
    std::string name;    // the path that it was found by, links and all

    [[nodiscard]] bool operator==(const Location&) const = default;
};

// The library to which a newer ocloc delegates older devices.
inline constexpr const char* legacy_library = "libocloc_legacy1.so";

struct Locations {
    std::vector<Location> found;
    std::vector<std::string> problems; // a sentence on each folder that is not trusted
};

// $VISOR_COMPILER_DIR, else $XDG_DATA_HOME/visor/compilers, else ~/.local/share/visor/compilers: what
// `scripts/setup compiler` unpacks. "": none of them is set. A variable that is set and empty: none is
// wanted.
[[nodiscard]] std::string compiler_folder();

// In a folder as it was unpacked or installed: itself, lib, usr/lib, of the machine's architecture as well.
[[nodiscard]] std::vector<Location> locations_in(const std::filesystem::path& folder);

// Locations of the system, of Intel's packages below /usr and /opt, and of compiler_folder(). Ignores what
// other users could have written (trust.h): the library, the folders and links on its path, and, with a
// loader of its own, all files beside it. Folders of the system's loader are trusted.
[[nodiscard]] Locations usual_locations();
// Likewise in a folder that the user names.
[[nodiscard]] Locations chosen_locations(const std::filesystem::path& folder);

// For messages: where usual_locations() looks.
[[nodiscard]] std::string looked_in();

} // namespace visor::compile
