// A YAML document as a tree that is no larger than its text: rejects aliases, which could multiply content.
#pragma once

#include <string_view>
#include <yaml-cpp/yaml.h>

namespace visor::launch {

// Throws yaml-cpp's exceptions, for aliases, too.
[[nodiscard]] YAML::Node tree_of(std::string_view text);

} // namespace visor::launch
