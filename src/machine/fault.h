// Faults: why a kernel's run ended early, as values.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace visor::machine {

enum class FaultKind : uint8_t {
    none,
    out_of_bounds, // flat access outside every live allocation
    bad_register,  // indirect operand outside the variables whose address is taken
    bad_branch,    // control left the function
    bad_call,      // the target is no function, or has other argument sizes
    bad_state,     // a handle of no surface or sampler state
    unsupported,   // an instruction that Visor does not support
    fuel,          // instruction limit of a hardware thread
    timeout,       // wall-clock limit
    call_depth,    // or registers of nested calls
    deadlock,      // threads wait for each other
    stopped,       // by the caller
    out_of_memory, // for the launch's threads
};

// As JSON and traces write it (docs/json.md).
[[nodiscard]] constexpr std::string_view name_of(FaultKind kind) {
    constexpr std::array<std::string_view, 13> names{
        "none", "out_of_bounds", "bad_register", "bad_branch", "bad_call", "bad_state",    "unsupported",
        "fuel", "timeout",       "call_depth",   "deadlock",   "stopped",  "out_of_memory"};
    return names.at(static_cast<size_t>(kind));
}

struct Fault {
    FaultKind kind = FaultKind::none;
    std::array<uint32_t, 3> group{};
    uint32_t thread = 0;
    int lane = -1;            // channel, -1 = no single one
    uint32_t function = 0;    // in Launch::functions
    uint32_t depth = 0;       // calls from the kernel to this function that have not returned
    uint32_t instruction = 0; // index in the function's code
    uint64_t address = 0;
    uint32_t bytes = 0;
    std::string detail; // of the message; "": the kind suffices
};

} // namespace visor::machine
