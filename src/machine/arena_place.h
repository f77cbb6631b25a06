// Where arenas of device memory lie (memory.h), for who is given a pointer into one that has gone.
#pragma once

#include <cstdint>

namespace visor::machine {

// Whether an arena may have had the address that is nobody's any more: it lies where arenas are placed, and
// nothing is mapped there.
[[nodiscard]] bool is_deserted(uint64_t address);

} // namespace visor::machine
