// The thread payload: what each thread of a launch finds in its registers before it runs, computed from its
// position in its group (launch ABI 2.2), and what of that is the same in all threads.
#pragma once

#include "isa/predefined.h"
#include "machine/launch.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace visor::machine {

// Of one lane (or of the thread, for fillers that are not lane-wise); `worker`: number of the CPU thread.
[[nodiscard]] uint64_t computed_value(const Launch& launch, uint32_t worker, uint32_t thread, Filler filler,
                                      uint32_t lane);

// A dword that the dispatcher fills before a thread starts.
struct DispatchedPlace {
    isa::Predefined variable;
    uint32_t dword;
};
// Where a thread finds its group's ids.
inline constexpr std::array group_id_places{
    // x, y, z, and once more
    DispatchedPlace{isa::Predefined::r0, 1},         DispatchedPlace{isa::Predefined::r0, 6},
    DispatchedPlace{isa::Predefined::r0, 7},         DispatchedPlace{isa::Predefined::group_id_x, 0},
    DispatchedPlace{isa::Predefined::group_id_y, 0}, DispatchedPlace{isa::Predefined::group_id_z, 0},
};

// Where it finds its scratch block's number: 0, as each thread has memory of its own.
inline constexpr DispatchedPlace scratch_place{isa::Predefined::r0, 5};

// An input whose lanes hold the first one's value plus a step of their own, the same in every thread.
struct LaneSteps {
    uint32_t register_offset = 0;
    uint32_t element_bytes = 2;
    std::vector<uint32_t> steps; // by lane; no sum leaves the element's positive numbers
    uint32_t most = UINT32_MAX;  // no thread's first lane holds more

    bool operator==(const LaneSteps&) const = default;
};
// Of the launch's lane-wise inputs those that are so, and that no other input overlaps.
[[nodiscard]] std::vector<LaneSteps> lane_steps(const Launch& launch);
// As numbers, and back; nothing when they are no such list.
[[nodiscard]] std::vector<uint32_t> numbers_of(const std::vector<LaneSteps>& inputs);
[[nodiscard]] std::optional<std::vector<LaneSteps>> inputs_of(std::span<const uint32_t> numbers);

// Bytes of the register file that hold the same in all threads of a launch when they start.
struct SharedInput {
    uint32_t begin = 0;
    uint32_t end = 0; // behind the last one

    bool operator==(const SharedInput&) const = default;
};
// Ascending; neighbours are one.
[[nodiscard]] std::vector<SharedInput> shared_inputs(const Launch& launch);
// Likewise as numbers, and back.
[[nodiscard]] std::vector<uint32_t> numbers_of(const std::vector<SharedInput>& inputs);
[[nodiscard]] std::optional<std::vector<SharedInput>> shared_inputs_of(std::span<const uint32_t> numbers);

// What threads' computed inputs hang on, and so lane steps and shared inputs: launches of one program that
// agree in it have the same.
struct InputShape {
    uint32_t threads = 0;
    uint32_t simd = 0;
    uint32_t slm_bytes = 0;     // not they, but what code is made for
    uint32_t scratch_bytes = 0; // likewise
    std::array<uint32_t, 3> local_size{};
    std::array<uint8_t, 3> walk_order{};
    std::vector<ComputedInput> computed;
    std::vector<ImageInput> images;

    [[nodiscard]] static InputShape of(const Launch& launch);
    // False, too, where private memory is asked for: which block is a thread's hangs on the worker.
    [[nodiscard]] bool is_of(const Launch& launch) const;
};

} // namespace visor::machine
