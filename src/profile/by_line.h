// Costs of instructions, added up by the lines that they came from.
#pragma once

#include "profile/profile.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace visor::profile {

enum class Lines : uint8_t {
    source, // of OpenCL C, where the compiler told them; of a function without, the text's
    visa,   // of the vISA text
};

struct LineCosts {
    Costs costs;
    uint64_t most_executed = 0; // of one of its instructions
};

// By file and line, in order. Line 0: code of the compiler's own.
using FileCosts = std::map<std::string, std::map<uint32_t, LineCosts>, std::less<>>;

// Where an instruction came from. The views live as long as the function and its text.
struct Place {
    std::string_view file;
    uint32_t line = 0;
};
// By index in the function's code.
[[nodiscard]] std::vector<Place> places_of(const FunctionCosts& function, Lines lines);

[[nodiscard]] FileCosts by_line(const FunctionCosts& function, Lines lines);

// Whether an instruction is executed: labels, FILE, LOC and lifetimes are not.
[[nodiscard]] bool runs(const Instruction& instruction);

// A name as one line of a text format has it: what is no printable character is escaped.
[[nodiscard]] std::string on_one_line(std::string_view name);

} // namespace visor::profile
