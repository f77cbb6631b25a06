// The thread payload: the initial registers of each thread of a launch, computed from its position in the
// group (launch ABI 2.2), and the part that is uniform over the launch.
#pragma once

#include "isa/predefined.h"
#include "machine/launch.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace visor::machine {

// The value for one lane (or the thread, for fillers that are not lane-wise); `worker`: number of the CPU
// thread.
[[nodiscard]] uint64_t computed_value(const Launch& launch, uint32_t worker, uint32_t thread, Filler filler,
                                      uint32_t lane);

// A dword that the dispatcher sets before a thread starts.
struct DispatchedDword {
    isa::Predefined variable;
    uint32_t dword;
};
// The dwords with the group's ids.
inline constexpr std::array group_id_dwords{
    // x, y, z, twice
    DispatchedDword{isa::Predefined::r0, 1},         DispatchedDword{isa::Predefined::r0, 6},
    DispatchedDword{isa::Predefined::r0, 7},         DispatchedDword{isa::Predefined::group_id_x, 0},
    DispatchedDword{isa::Predefined::group_id_y, 0}, DispatchedDword{isa::Predefined::group_id_z, 0},
};

// The dword with the scratch block's number: 0, as each thread has memory of its own.
inline constexpr DispatchedDword scratch_number_dword{isa::Predefined::r0, 5};

// An input whose lanes hold the first lane's value plus a step that is the same in all threads.
struct LaneSteps {
    uint32_t register_offset = 0;
    uint32_t element_bytes = 2;
    std::vector<uint32_t> steps; // by lane; no sum overflows the signed element
    uint32_t most = UINT32_MAX;  // upper bound of the first lane in any thread

    bool operator==(const LaneSteps&) const = default;
};
// The launch's lane-wise inputs with such steps, if no other input overlaps them.
[[nodiscard]] std::vector<LaneSteps> lane_steps(const Launch& launch);
// Serializes and deserializes; nothing when the numbers are invalid.
[[nodiscard]] std::vector<uint32_t> numbers_of(const std::vector<LaneSteps>& inputs);
[[nodiscard]] std::optional<std::vector<LaneSteps>> inputs_of(std::span<const uint32_t> numbers);

// A range of the register file whose initial values are uniform over the launch.
struct SharedInput {
    uint32_t begin = 0;
    uint32_t end = 0; // exclusive

    bool operator==(const SharedInput&) const = default;
};
// Ascending; adjacent ranges are merged.
[[nodiscard]] std::vector<SharedInput> shared_inputs(const Launch& launch);
// Serializes and deserializes, likewise.
[[nodiscard]] std::vector<uint32_t> numbers_of(const std::vector<SharedInput>& inputs);
[[nodiscard]] std::optional<std::vector<SharedInput>> shared_inputs_of(std::span<const uint32_t> numbers);

// The launch parameters that determine computed inputs, lane steps and shared inputs: launches of a program
// with equal shapes have equal ones.
struct InputShape {
    uint32_t threads = 0;
    uint32_t simd = 0;
    uint32_t slm_bytes = 0;     // not these, but code is specialized for it
    uint32_t scratch_bytes = 0; // likewise
    std::array<uint32_t, 3> local_size{};
    std::array<uint8_t, 3> walk_order{};
    std::vector<ComputedInput> computed;
    std::vector<ImageInput> images;

    [[nodiscard]] static InputShape of(const Launch& launch);
    // False also for inputs with private memory, whose addresses depend on the worker.
    [[nodiscard]] bool is_of(const Launch& launch) const;
};

} // namespace visor::machine
