// Whether a text that came back from the outside reader is the one that went in. Two comparisons that cover
// each other's blind side: of the modules as our parser sees them, and of the lines without our parser.
#pragma once

#include "module/module.h"

#include <string>
#include <string_view>

namespace visor::oracle {

// Takes out what a binary does not keep (the version, v_name) and what the reader renames (labels, by the
// order of their definition).
[[nodiscard]] Module normalized(Module module);

// Where two modules differ after that, "" when nowhere.
[[nodiscard]] std::string module_difference(const Module& sent, const Module& received);

// The first line in which two texts differ when .version, v_name, comments, blank lines and labels' names are
// left aside; "" when there is none.
[[nodiscard]] std::string line_difference(std::string_view sent, std::string_view received);

} // namespace visor::oracle
