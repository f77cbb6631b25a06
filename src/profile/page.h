// A run as one HTML page that needs nothing else: no network, no script.
#pragma once

#include "profile/profile.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace visor::profile {

struct PageFacts {
    std::string title;   // what ran
    std::string creator; // the program and its version
    bool checked = false;
    std::vector<std::string> findings; // of the checkers, each as it is printed
    // The text of a source file; nothing: it is not at hand.
    std::function<std::optional<std::string>(std::string_view file)> source;
};

// Needs a profile with Detail::arrays.
[[nodiscard]] std::string page_of(const Profile& profile, const PageFacts& facts);

} // namespace visor::profile
