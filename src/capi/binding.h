// Binds a caller's arguments and sizes to a launch: checks them against the kernel, copies them, and holds
// the objects that they name.
#pragma once

#include "capi/objects.h"
#include "launch/bind.h"

#include <memory>
#include <span>
#include <vector>

namespace visor::capi {

struct Binding {
    std::vector<launch::ArgumentValue> values; // compiled kernels
    launch::Geometry geometry;                 //
    std::vector<launch::HandInput> inputs;     // hand-written ones
    std::vector<launch::HandState> states;     //
    launch::HandGeometry hand_geometry;        //
    uint64_t first_group = 0;
    uint64_t group_count = UINT64_MAX;
    std::vector<std::shared_ptr<void>> held;
};
[[nodiscard]] Binding bind(const KernelObject& kernel, std::span<const visor_argument> arguments,
                           const visor_shape& shape);

} // namespace visor::capi
