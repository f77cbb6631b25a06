// A profile in the formats of others' viewers.
#pragma once

#include "profile/by_line.h"
#include "profile/profile.h"

#include <string>
#include <string_view>

namespace visor::profile {

// Of callgrind (valgrind's manual, "Callgrind Format Specification"): for kcachegrind and callgrind_annotate.
// `creator`: the program and its version.
[[nodiscard]] std::string callgrind_of(const Profile& profile, Lines lines, std::string_view creator);

// Collapsed stacks, "kernel;function;file:line count", of which flame graphs are made: for speedscope and
// flamegraph.pl. The count is instructions.
[[nodiscard]] std::string collapsed_of(const Profile& profile, Lines lines);

// lcov's tracefile (geninfo(1)): for genhtml and what shows coverage beside the source. A line's count is
// that of its most executed instruction, in hardware threads.
[[nodiscard]] std::string lcov_of(const Profile& profile);

} // namespace visor::profile
