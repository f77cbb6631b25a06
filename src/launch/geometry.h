// Checks an index space, and partitions it into regions of uniform local size.
#pragma once

#include "launch/bind.h"

#include <array>
#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace visor::launch {

struct Region {
    std::array<uint32_t, 3> first_group{};
    std::array<uint32_t, 3> groups{};
    std::array<uint32_t, 3> local{};
};

struct Shape {
    uint32_t dimensions = 1;
    std::array<uint32_t, 3> global{};
    std::array<uint32_t, 3> offset{};
    std::array<uint32_t, 3> local{};       // nominal
    std::array<uint32_t, 3> group_count{}; // of all regions
    std::vector<Region> regions;           // none when a global size is 0
};

// Limit of a launch: more would never finish, and all products of the count fit 64 bits.
inline constexpr uint64_t most_groups = 1'000'000'000'000'000;

// Error: one sentence that names the sizes.
[[nodiscard]] std::expected<Shape, std::string> shape_of(const Signature& signature,
                                                         const isa::Device& device, const Geometry& geometry);

// The parts of a launch that a region decides: groups, threads, masks.
void set_region(machine::Launch& launch, const Region& region);

// Initializes a launch: surface and sampler variables' initial values, with the predefined surfaces; others
// are unset.
[[nodiscard]] machine::Launch blank_launch(const Program& program, uint32_t simd, machine::Memory& memory);

inline constexpr uint32_t unset_state = UINT32_MAX;

} // namespace visor::launch
