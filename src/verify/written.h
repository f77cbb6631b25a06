// Registers that are read and that nothing writes: what a compiler does that lost a value on its way.
#pragma once

#include "diagnostic/diagnostic.h"
#include "module/module.h"

#include <string>
#include <vector>

namespace visor::verify {

struct NeverWritten {
    std::string variable;
    Location read; // the first operand that reads it
};

// By place. A variable counts as written by an instruction that names it, or an alias of its storage, as a
// destination; as an input; and when its address is taken. Linear in the function.
[[nodiscard]] std::vector<NeverWritten> never_written(const Function& function);

} // namespace visor::verify
