// The names of a function's variables and labels, such that each stands for one thing alone. Text cannot say
// anything else, and a message, a trace or a parameter that names a variable must not mean two. Whoever reads
// a function settles them, so that every later stage has the same names.
#pragma once

#include "diagnostic/location.h"
#include "module/module.h"

#include <cstdint>
#include <string>
#include <vector>

namespace visor {

enum class NameFault : uint8_t { none, twice, predefined }; // there is none; another has it; it is predefined

struct NameChange {
    NameFault fault = NameFault::none;
    std::string before;
    std::string after;
    Location where; // of the declaration; of a label, of its definition
};

// Whoever is alone with a name keeps it; of those that share one the first does. The others get a number
// behind it, and what has no name gets the compiler's (V0032, A0, P1, S0, T6, L0). Variables of all classes
// share one space with the predefined ones, and with S31 where the code names the bindless sampler; labels
// have their own. Names that become longer than `longest` bytes (more than 11) lose characters in front of
// their number. Time is linear in the names' bytes.
std::vector<NameChange> make_names_unique(Function& function, size_t longest);

} // namespace visor
