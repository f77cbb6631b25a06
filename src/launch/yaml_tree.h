// A YAML document as a tree that is no larger than its text: aliases, which repeat what an anchor has, are
// refused.
#pragma once

#include <string_view>
#include <yaml-cpp/yaml.h>

namespace visor::launch {

// Throws what yaml-cpp throws, of an alias as well.
[[nodiscard]] YAML::Node tree_of(std::string_view text);

} // namespace visor::launch
