#include "machine/surface.h"

#include "isa/predefined.h"

namespace visor::machine {

SurfaceView surface_at(Thread& thread, uint32_t binding_table_index) {
    SurfaceView view{.data = nullptr, .bytes = 0, .space = Space::surface, .index = binding_table_index};
    const auto select = [&view](std::span<std::byte> bytes, Space space) {
        view.data = bytes.data();
        view.bytes = bytes.size();
        view.space = space;
    };
    if (binding_table_index == isa::bti_slm) {
        select(thread.group->slm, Space::slm);
    } else if (binding_table_index == isa::bti_stateless || binding_table_index == bti_scratch_surface) {
        // T5 with r0.5 = 0, and TSS: offsets in the thread's scratch block.
        select(thread.scratch, Space::scratch);
    } else if (binding_table_index < thread.launch->surfaces.size() &&
               binding_table_index != isa::bti_bindless) {
        const Surface& bound = thread.launch->surfaces[binding_table_index];
        if (bound.kind == SurfaceKind::buffer)
            select({Memory::host(bound.address), bound.bytes}, Space::surface);
        view.padding = bound.padding;
    }
    return view;
}

} // namespace visor::machine
