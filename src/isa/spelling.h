// How a row looks in text: its syntax with placeholders, and one line that assembles. The reference's half
// that knows how each TextForm arranges the fields; reading and writing real text is text/'s.
#pragma once

#include "isa/row.h"

#include <string>
#include <vector>

namespace visor::isa {

// A line a form; `<field>` stands for what the field says, `[ ]` for what may be left out.
[[nodiscard]] std::vector<std::string> syntax(const Row& row);

// With variables V0032, V0033 ... (general), A0, P1, P2, S0, T6, a label `L1` and a function `f`.
[[nodiscard]] std::string example(const Row& row);

} // namespace visor::isa
