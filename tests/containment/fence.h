// While armed, blocks of memory that this program takes end where a page begins that nobody may touch, and
// begin behind another: the register files, scratch blocks and shared local memory of a launch among them.
#pragma once

#include <cstdint>

namespace visor::containment {

void arm(bool on);
// Blocks taken while armed.
[[nodiscard]] uint64_t fenced_blocks();
// Whether blocks are fenced in this build at all.
[[nodiscard]] bool has_fences();

} // namespace visor::containment
