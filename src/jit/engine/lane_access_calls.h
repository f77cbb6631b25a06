// Gather and scatter functions that tier 1 code calls for accesses with unknown addresses: emitting them
// anew for each kernel takes longer than its own code does.
#pragma once

#include <cstddef>
#include <cstdint>

namespace visor::jit {

// How many lanes, and the bits of each one's unit: 8, 16, 32 or 64.
[[nodiscard]] constexpr uint32_t lane_shape(uint32_t lanes, uint32_t bits) {
    return lanes | bits << 8U;
}

// `on`: bit k, lane k. `displacement`: how far behind its place a lane's unit lies. Values: lane after lane.
// Lanes that are off or outside load zeros; stores are in lane order. Thread-safe.
struct LaneAccessCalls {
    // Offsets in a surface of so many bytes, after a mask.
    void (*load_surface)(const uint32_t* places, std::byte* values, uint32_t on, uint32_t shape,
                         uint64_t displacement, std::byte* data, uint64_t bytes, uint64_t mask);
    void (*store_surface)(const uint32_t* places, const std::byte* values, uint32_t on, uint32_t shape,
                          uint64_t displacement, std::byte* data, uint64_t bytes, uint64_t mask);
    // Addresses, which lanes that are on may use.
    void (*load_flat)(const uint64_t* places, std::byte* values, uint32_t on, uint32_t shape,
                      uint64_t displacement);
    void (*store_flat)(const uint64_t* places, const std::byte* values, uint32_t on, uint32_t shape,
                       uint64_t displacement);
};

[[nodiscard]] const LaneAccessCalls& lane_access_calls();

struct Extremes {
    uint64_t first = UINT64_MAX;
    uint64_t last = 0;
};
// The least and the largest place + displacement of lanes that are on.
[[nodiscard]] Extremes extremes(const uint64_t* places, uint32_t on, uint32_t lanes, uint64_t displacement);

} // namespace visor::jit
