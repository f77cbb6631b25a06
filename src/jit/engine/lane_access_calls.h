// Gather and scatter functions that tier 1 code calls for accesses with unknown addresses: compiling them
// into each kernel takes longer than compiling its other code.
#pragma once

#include <cstddef>
#include <cstdint>

namespace visor::jit {

// The number of lanes, and the bits of a lane's unit: 8, 16, 32 or 64.
[[nodiscard]] constexpr uint32_t lane_shape(uint32_t lanes, uint32_t bits) {
    return lanes | bits << 8U;
}

// `on`: bit k enables lane k. `displacement`: bytes from a lane's address to its unit. Values: lane by lane.
// Disabled and out-of-bounds lanes load zeros; stores are in lane order. Thread-safe.
struct LaneAccessCalls {
    // Offsets in a surface of `bytes` bytes, after masking.
    void (*load_surface)(const uint32_t* offsets, std::byte* values, uint32_t on, uint32_t shape,
                         uint64_t displacement, std::byte* data, uint64_t bytes, uint64_t mask);
    void (*store_surface)(const uint32_t* offsets, const std::byte* values, uint32_t on, uint32_t shape,
                          uint64_t displacement, std::byte* data, uint64_t bytes, uint64_t mask);
    // Addresses that were checked for the enabled lanes.
    void (*load_flat)(const uint64_t* addresses, std::byte* values, uint32_t on, uint32_t shape,
                      uint64_t displacement);
    void (*store_flat)(const uint64_t* addresses, const std::byte* values, uint32_t on, uint32_t shape,
                       uint64_t displacement);
};

[[nodiscard]] const LaneAccessCalls& lane_access_calls();

struct Extremes {
    uint64_t first = UINT64_MAX;
    uint64_t last = 0;
};
// The smallest and the largest address + displacement of enabled lanes.
[[nodiscard]] Extremes extremes(const uint64_t* addresses, uint32_t on, uint32_t lanes,
                                uint64_t displacement);

} // namespace visor::jit
