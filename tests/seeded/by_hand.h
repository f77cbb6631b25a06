// The examples that people wrote in vISA: their launch stands in the text's first RUN line, or in a launch
// file that this names. Only what such lines say is understood; anything else is an error.
#pragma once

#include "cli/launch/job.h"

#include <expected>
#include <string>
#include <vector>

namespace visor::seeded {

struct ByHand {
    std::string name; // of the file, without its extension
    std::string path;
    std::string device;
    std::vector<cli::NamedArray> arrays;
    cli::LaunchRequest launch;
};

// The texts in the folders below `folder`, in the order of their names, each with its first launch. Error:
// the file and the word that is not understood.
[[nodiscard]] std::expected<std::vector<ByHand>, std::string> examples_by_hand(const std::string& folder);

} // namespace visor::seeded
