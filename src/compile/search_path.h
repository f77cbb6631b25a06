// Lists of folders in environment variables, with colons between them.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace visor::compile {

// The absolute ones: empty or relative names depend on the working folder.
inline std::vector<std::string> folders_of_variable(const char* name) {
    const char* const value = secure_getenv(name);
    std::string_view rest = value == nullptr ? "" : value;
    std::vector<std::string> folders;
    while (!rest.empty()) {
        const std::string_view folder = rest.substr(0, rest.find(':'));
        if (folder.starts_with('/'))
            folders.emplace_back(folder);
        rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    }
    return folders;
}

} // namespace visor::compile
