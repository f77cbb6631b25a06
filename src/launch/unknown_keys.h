// What .ze_info has and known_keys.h does not: kept by name, so that a launch can refuse it.
#pragma once

#include "launch/known_keys.h"

#include <string>
#include <string_view>
#include <vector>
#include <yaml-cpp/yaml.h>

namespace visor::launch {

using Unknown = std::vector<std::string>; // as messages name it

// Past a few, which are as many as a message may name, nothing is added: one is enough to refuse a launch.
void add(Unknown& to, std::string what);

// Adds what a map has and known_keys.cpp does not, with what lies below it; `where` names the map.
void add_unknown(const YAML::Node& map, KeyLevel level, std::string_view where, Unknown& to);

// The major number changes when what was known means something else (version.md).
[[nodiscard]] bool is_known_version(const YAML::Node& version);

[[nodiscard]] Unknown unknown_of_file(const YAML::Node& root);

} // namespace visor::launch
