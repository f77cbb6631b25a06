// Bugs put into a program on purpose: fixed operators, each at every place of a function that its rule names.
// The rules read rows and operands; nothing here knows an example, a checker, or whether a mutant is a bug.
#pragma once

#include "module/module.h"

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace visor::seeded {

enum class Operator : uint8_t {
    remove_barrier,
    remove_fence,
    shift_index,
    drop_initialisation,
    move_bound,
    weaken_predicate,
};
inline constexpr size_t operators = 6;
inline constexpr std::array<std::string_view, operators> operator_names{
    "remove a barrier",       "remove a fence", "shift an index",
    "drop an initialisation", "widen a range",  "weaken a predicate"};

// What a run of the original tells of an instruction, for the rules and for why a mutant changes nothing: by
// index in Function::code.
struct Observed {
    uint32_t unit_bytes = 0;  // of a message's element; 0: it raised no memory event
    bool initialises = false; // the first store to a byte of shared local, scratch or private memory
    bool decides = false;     // its predicate switched a lane that was on off, or made one branch
    bool equal = false;       // a comparison, or what may be one: the two sides were equal in some lane
};
using Behaviour = std::map<uint32_t, Observed>; // instructions that were executed

struct Site {
    Operator what = Operator::remove_barrier;
    uint32_t instruction = 0; // in Function::code
    uint32_t number = 0; // among the operator's sites of the function, those that no run reached included
    uint8_t variant = 0; // weaken_predicate: 0 unpredicated or not skipped, 1 any and all exchanged
};

// In the order of the code.
[[nodiscard]] std::vector<Site> sites(const Function& function, const Behaviour& behaviour);

struct Mutant {
    Function function;
    // By index of the mutant's code: the original's; UINT32_MAX for what was put in.
    std::vector<uint32_t> original;
};
[[nodiscard]] Mutant mutate(const Function& function, const Site& site, const Behaviour& behaviour);

} // namespace visor::seeded
