// Handles of surface and sampler states outside the binding table (bindless messages, surf): multiples of a
// state's size, as on the hardware, so that code may set the bits below. Smaller numbers are binding-table
// indices, or the thread's scratch block (rulings 58, 70, 176).
#pragma once

#include "machine/launch.h"

#include <algorithm>
#include <cstdint>

namespace visor::machine {

inline constexpr uint32_t state_bytes = 64;
// Their first indices among a launch's surfaces and samplers.
inline constexpr uint32_t first_surface_state = bti_scratch_surface + 1;
inline constexpr uint32_t first_sampler_state = 16;

[[nodiscard]] constexpr uint32_t state_handle(uint32_t number) {
    return number * state_bytes;
}
inline constexpr uint32_t scratch_handle = state_handle(bti_scratch_surface);

// The number of the surface; UINT32_MAX: there is no such state.
[[nodiscard]] inline uint32_t surface_of_handle(const Launch& launch, uint64_t handle) {
    if (handle < scratch_handle)
        return static_cast<uint32_t>(handle);
    const uint64_t number = handle / state_bytes;
    const bool known = number == bti_scratch_surface ||
                       (number < launch.surfaces.size() && launch.surfaces[number].kind != SurfaceKind::none);
    return known ? static_cast<uint32_t>(number) : UINT32_MAX;
}

// Null: there is no such state.
[[nodiscard]] inline const Sampler* sampler_of_handle(const Launch& launch, uint64_t handle) {
    const uint64_t number = handle / state_bytes;
    return number >= first_sampler_state && number < launch.samplers.size() ? &launch.samplers[number]
                                                                            : nullptr;
}

} // namespace visor::machine
