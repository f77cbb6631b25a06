// What text says of a module's parts, in one place: each operand is made anew from the fields that its kind,
// and its row's form, have in text. A binary holds more: what lies beside that has no meaning, and a reader
// of binaries drops it here, so that what it read is the same module as text.
//
// Codes that no word stands for stay as they are, and so does a literal that nobody reads (Place::hidden):
// the verifier refuses the first, and the second are a page's ignored fields (ruling 8).
#pragma once

#include "module/module.h"

#include <cstdint>
#include <vector>

namespace visor {

// A field of which something was dropped.
struct Dropped {
    const char* field = "";
    Location where;
};

// What an instruction has beyond its operands, those that its row has fields for, and what they say of each
// other. Parts of a region that are not there become 0, which is no loss.
[[nodiscard]] std::vector<Dropped> make_canonical(Instruction& instruction);

// Of a general variable: text declares no larger one.
inline constexpr uint64_t most_variable_bytes = 65536;

// Whether something was dropped.
[[nodiscard]] bool make_canonical(GeneralVariable& variable);

} // namespace visor
