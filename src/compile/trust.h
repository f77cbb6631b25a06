// Checks who can have written a file. Code, and any file that selects code, is trusted only if no user but
// this one or root could have written it. Caches are checked by open descriptors, without a race between
// check and use.
#pragma once

#include "compile/descriptor.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace visor::compile {

// An open folder or file, owned by the effective user, not writable by others, and no link.
struct Owned {
    Descriptor descriptor; // not open: none is usable
    std::string problem;   // why an existing one is rejected; "": it does not exist
};

enum class Missing : uint8_t { left, made };
// `name` in `parent`, both under these conditions. Created folders have mode 0700.
[[nodiscard]] Owned open_own_folder(const std::filesystem::path& parent, const std::string& name,
                                    Missing missing);
// The regular file of this name in such a folder, to read. Messages have the whole path.
[[nodiscard]] Owned open_own_file(const Owned& folder, const std::filesystem::path& path);

// Nothing, if only this user or root can have written the file or folder, all folders and all links on its
// path. Else the first name that fails the check.
[[nodiscard]] std::optional<std::string> distrusted(const std::filesystem::path& path);

// Reports the first problem of the process on standard error, and no later one.
void warn_once(const std::string& problem);

} // namespace visor::compile
