// Addresses of device memory arenas (memory.h), to recognize stale pointers into a destroyed one.
#pragma once

#include <cstdint>

namespace visor::machine {

// Whether a destroyed arena may have contained the address: it is in the address range of arenas, and
// unmapped.
[[nodiscard]] bool is_unmapped_arena_address(uint64_t address);

} // namespace visor::machine
