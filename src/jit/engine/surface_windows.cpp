#include "jit/engine/surface_windows.h"

#include "isa/predefined.h"
#include "machine/guarded_memory.h"
#include "machine/state_handle.h"
#include "machine/surface.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace visor::jit {

namespace {

using machine::Thread;

Window window_of(Thread& thread, uint32_t number, const machine::EventKinds& reported) {
    const machine::SurfaceView view = machine::surface_at(thread, number);
    const bool local = view.space == machine::Space::slm;
    const uint64_t bytes = view.bytes - (reported.outside ? view.padding : 0);
    return {bytes == 0 ? machine::no_access_address() : view.data, bytes,
            local ? ~(uint64_t{1} << 28U) : UINT64_MAX};
}

bool is_small(const Window& window) {
    return window.bytes <= largest_window;
}

// Whether the number selects the same surface in all threads. %bss with the number of no surface is a fault.
bool is_of_launch(uint32_t number) {
    return number != isa::bti_slm && number != isa::bti_stateless && number != isa::bti_bindless &&
           number != machine::bti_scratch_surface;
}

std::optional<uint32_t> surface_of(const Thread& thread, const GivenHandle& given) {
    uint64_t handle = 0;
    std::memcpy(&handle, thread.registers + given.offset, isa::size_of(given.type));
    if (given.type == isa::Type::d)
        handle = static_cast<uint64_t>(int64_t{static_cast<int32_t>(handle)});
    const uint32_t number = machine::surface_of_handle(*thread.launch, handle + given.index);
    return number != UINT32_MAX && is_of_launch(number) ? std::optional(number) : std::nullopt;
}

} // namespace

bool handles_have_windows(const Thread& thread, const Object& object) {
    const std::vector<machine::Surface>& surfaces = thread.launch->surfaces;
    return std::ranges::all_of(object.handles, [&](const GivenHandle& given) {
        const auto number = surface_of(thread, given);
        return number && (*number >= surfaces.size() || surfaces[*number].bytes <= largest_window);
    });
}

bool fill_windows(std::vector<Window>& windows, Thread& thread, const Object& object,
                  const machine::EventKinds& reported) {
    windows.clear();
    const std::vector<uint32_t>& first = thread.launch->preset_surfaces;
    if (std::ranges::any_of(object.surfaces, [&](uint32_t element) {
            return element >= thread.surfaces.size() || element >= first.size();
        }))
        return false;
    for (const uint32_t element : object.surfaces)
        windows.push_back(window_of(thread, thread.surfaces[element], reported));
    for (const uint32_t number : object.named_surfaces)
        windows.push_back(window_of(thread, number, reported));
    for (const GivenHandle& given : object.handles) {
        const auto number = surface_of(thread, given);
        if (!number)
            return false;
        windows.push_back(window_of(thread, *number, reported));
    }
    for (const uint32_t element : object.surfaces)
        windows.push_back(window_of(thread, first[element], reported));
    return std::ranges::all_of(windows, is_small);
}

void fill_launch_windows(std::vector<Window>& windows, Thread& thread, const machine::EventKinds& reported) {
    const std::vector<machine::Surface>& surfaces = thread.launch->surfaces;
    windows.assign(std::max<size_t>(surfaces.size(), 1), {});
    for (uint32_t number = 0; number < surfaces.size(); ++number) {
        if (surfaces[number].kind != machine::SurfaceKind::buffer || !is_of_launch(number))
            continue;
        if (const Window window = window_of(thread, number, reported); is_small(window))
            windows[number] = window;
    }
}

} // namespace visor::jit
