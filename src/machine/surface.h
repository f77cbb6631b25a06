// Resolves a binding-table index for one thread.
#pragma once

#include "machine/thread.h"

namespace visor::machine {

// Host bytes and their count. `data` is null for an unbound surface: every access is then out of bounds.
struct SurfaceView {
    std::byte* data = nullptr;
    uint64_t bytes = 0;
    Space space = Space::surface;
    uint32_t index = 0;   // binding-table index
    uint32_t padding = 0; // as Surface has it
};
[[nodiscard]] SurfaceView surface_at(Thread& thread, uint32_t binding_table_index);

} // namespace visor::machine
