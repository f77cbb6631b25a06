// Collects entries of .ze_info that known_keys.h lacks, by name, so that a launch can be rejected.
#pragma once

#include "launch/known_keys.h"

#include <string>
#include <string_view>
#include <vector>
#include <yaml-cpp/yaml.h>

namespace visor::launch {

using Unknown = std::vector<std::string>; // as messages name it

// Keeps only as many as a message lists: one suffices to reject a launch.
void add(Unknown& to, std::string what);

// Adds a map's unknown entries, recursively; `where` names the map.
void add_unknown(const YAML::Node& map, KeyLevel level, std::string_view where, Unknown& to);

// The major number changes when known entries change their meaning (version.md).
[[nodiscard]] bool is_known_version(const YAML::Node& version);

[[nodiscard]] Unknown unknown_of_file(const YAML::Node& root);

} // namespace visor::launch
