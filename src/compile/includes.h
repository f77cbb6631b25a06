// The content of included files, as a part of the cache key. It scans #include lines without conditions, so
// it finds at least the files that the compiler reads. If it cannot know, the build is not cached.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace visor::compile {

// Names and contents of all files that `source`, which lies in `source_folder`, can include; nullopt when an
// #include is computed, not found in these folders, or when the text depends on the day. `folders` in search
// order.
[[nodiscard]] std::optional<std::string> included_files(std::string_view source,
                                                        const std::string& source_folder,
                                                        std::span<const std::string> folders);

} // namespace visor::compile
