// What a source includes, by content: part of the cache's key, because headers change. It reads #include
// lines as text, conditions ignored, so that it finds at least what the compiler reads; where it cannot know,
// it says so and the build is not cached.
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
