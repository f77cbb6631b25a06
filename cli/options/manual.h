// The manual pages, the shell completion and the JSON description of the command line, made from the verbs'
// own definitions, so that none of them can fall behind.
#pragma once

#include "cli/options/request.h"

#include <span>
#include <string>

namespace visor::cli {

// visor.1: the verbs and the exit codes.
[[nodiscard]] std::string overview_page(std::span<const VerbText> verbs);
// visor-VERB.1
[[nodiscard]] std::string manual_page(const VerbText& verb);
[[nodiscard]] std::string bash_completion(std::span<const VerbText> verbs);
// {"version":1,"verbs":[{"name":..,"description":..,"options":[{"names":[..],"type":..,"help":..}]}]}
[[nodiscard]] std::string definitions_json(std::span<const VerbText> verbs);

} // namespace visor::cli
