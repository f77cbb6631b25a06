// The one place where the numbers by which a function names things are looked up: variables of every class,
// predicates, labels, strings, inputs, aliases, lanes. Nothing indexes with a number of a module before this
// was asked, whatever it came from (text, binary, zebin, an application).
#pragma once

#include "diagnostic/diagnostic.h"
#include "module/module.h"

namespace visor::program {

// Whether every such number exists; each one that does not is reported with its place. A label that something
// goes to has to have an instruction after it. Linear in the function but for chains of aliases, which are
// bounded by the number of variables.
[[nodiscard]] bool check_indices(const Function& function, Diagnostics& diagnostics);

} // namespace visor::program
