// A launch as vm::Context::run() takes it, described for its folder.
#pragma once

#include "capture/launch.h"
#include "capture/launch_file.h"
#include "launch/bind.h"
#include "vm/vm.h"

#include <expected>
#include <span>

namespace visor::capture {

struct Given {
    const vm::Program& program;
    const vm::KernelFacts& kernel;
    std::span<const launch::ArgumentValue> values;
    const launch::Geometry& geometry;
    // By argument: it is a pointer into an allocation, unless null. Empty: none is.
    std::span<const void* const> pointers{};
    bool indirect = false; // it may follow pointers that lie in memory
};
struct GivenByHand {
    const vm::Program& program;
    const vm::KernelFacts& kernel;
    std::span<const launch::HandInput> inputs;
    std::span<const launch::HandState> states;
    const launch::HandGeometry& geometry;
};

// Memory is that of the values, in the program's context. Without a number, a device and code.
[[nodiscard]] Launch launch_of(const Given& given);
[[nodiscard]] Launch launch_of(const GivenByHand& given);
// The device, what the program was loaded from, and what runs.
void add_code(const vm::ProgramContent& content, Launch& launch);

[[nodiscard]] Outcome outcome_of(const std::expected<vm::RunReport, vm::Error>& report);

} // namespace visor::capture
