// What the instructions of a run cost, as plain data.
#pragma once

#include "machine/watch.h"
#include "module/module.h"
#include "profile/heat_map.h"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace visor::profile {

inline constexpr uint64_t line_bytes = 64;    // of a cache line
inline constexpr uint32_t slm_banks = 16;     // of shared local memory
inline constexpr uint32_t slm_bank_bytes = 4; // that a bank gives in one round

// Of one instruction, over all hardware threads and launches.
struct Costs {
    uint64_t executed = 0;              // by a hardware thread
    uint64_t lanes = 0;                 // channels that were on
    uint64_t possible_lanes = 0;        // the execution sizes
    std::array<uint64_t, 3> messages{}; // by machine::AccessKind: read, write, atomic
    uint64_t bytes = 0;                 // of their lanes that were inside
    uint64_t lines = 0;                 // cache lines that they touched, each message by itself
    uint64_t least_lines = 0;           // the lines that hold as many bytes
    uint64_t slm_rounds = 0;            // the most different dwords of one bank, message by message
    uint64_t waited = 0; // instructions of other threads between arrival at a barrier and its end

    Costs& operator+=(const Costs& other);
    [[nodiscard]] uint64_t all_messages() const { return messages[0] + messages[1] + messages[2]; }
};

// A kernel, or a function that it called, and the text that its locations refer to.
struct FunctionCosts {
    std::shared_ptr<const Function> function;
    std::shared_ptr<const Function> kernel; // itself, for a kernel
    std::string text_name;
    std::string text;
    std::pair<std::string, std::string> renamed; // a source file's name, and what it is called instead
    std::vector<Costs> costs;                    // by index in the function's code
};

// What one lane of a message touched.
struct LaneAccess {
    uint32_t lane = 0;
    uint64_t offset = 0; // in the array
    uint32_t bytes = 0;
};

// The messages of one instruction to one array.
struct ArraySite {
    size_t function = 0; // of the profile
    uint32_t instruction = 0;
    machine::AccessKind kind = machine::AccessKind::read;
    Costs costs;                   // of messages alone
    std::vector<LaneAccess> first; // the first message's lanes
};

// An allocation, or all shared local memory.
struct ArrayCosts {
    std::string label;
    uint64_t bytes = 0;
    bool local = false;
    HeatMap heat; // its time is instructions of all hardware threads
    std::vector<ArraySite> sites{};
};

struct LaunchFacts {
    std::string kernel;
    uint32_t simd = 0;
    std::array<uint32_t, 3> groups{};
    std::array<uint32_t, 3> local_size{};
    uint32_t threads = 0; // hardware threads of a group
};

struct Profile {
    std::deque<FunctionCosts> functions; // in the order in which they first ran
    uint64_t launches = 0;               // that were told of
    // With Detail::arrays:
    std::vector<ArrayCosts> arrays; // in the order in which they were first touched
    std::vector<LaunchFacts> facts; // of the first launches
};

inline constexpr size_t most_arrays = 64; // what is touched after so many is counted as one more
inline constexpr size_t most_launch_facts = 1000;

} // namespace visor::profile
