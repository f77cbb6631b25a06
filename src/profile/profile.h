// What the instructions of a run cost, as plain data.
#pragma once

#include "module/module.h"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
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
    std::vector<Costs> costs; // by index in the function's code
};

struct Profile {
    std::deque<FunctionCosts> functions; // in the order in which they first ran
    uint64_t launches = 0;               // that were told of
};

} // namespace visor::profile
