// While armed, blocks of memory that this program takes end where a page begins that nobody may touch, and
// begin behind another: those of engines and of the dispatcher among them. Register files, scratch blocks and
// shared local memory have guards of their own (machine/guarded_memory.h), whether armed or not.
#pragma once

#include <cstdint>

namespace visor::containment {

void arm(bool on);
// From now on blocks of every size, in place of those between 256 bytes and 1 MiB: slow.
void fence_every_size();
// Blocks taken while armed.
[[nodiscard]] uint64_t fenced_blocks();
// Whether blocks are fenced in this build at all.
[[nodiscard]] bool has_fences();

} // namespace visor::containment
