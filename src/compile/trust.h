// Who can have written what lies on disk. Code that is loaded, and whatever leads to code, counts only when
// nobody but this user, or the system, can have put it there. Caches are judged by open descriptors, so that
// nothing changes between the check and the use.
#pragma once

#include "compile/descriptor.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace visor::compile {

// A folder or file of the effective user's, open, that nobody else may write to and that is no link.
struct Owned {
    Descriptor descriptor; // not open: there is none to use
    std::string problem;   // a sentence on one that is there and is left alone; "": there is none
};

enum class Missing : uint8_t { left, made };
// `name` in `parent`, both under these conditions. Folders that are made are for this user alone (0700).
[[nodiscard]] Owned open_own_folder(const std::filesystem::path& parent, const std::string& name,
                                    Missing missing);
// The regular file of this name in such a folder, to read. Messages have the whole path.
[[nodiscard]] Owned open_own_file(const Owned& folder, const std::filesystem::path& path);

// Of a file or folder that this user or root alone can have written, nothing: all folders that lead there and
// all links on the way are theirs. Else the first name that is not.
[[nodiscard]] std::optional<std::string> distrusted(const std::filesystem::path& path);

// One line on standard error for the first problem of the process, nothing for the others.
void warn_once(const std::string& problem);

} // namespace visor::compile
