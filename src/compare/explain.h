// Differences in words.
#pragma once

#include "compare/canonical.h"
#include "compare/compare.h"
#include "compare/naming.h"

#include <string>

namespace visor::compare {

[[nodiscard]] std::string name_of(const Function& function, Name name);
// The instruction with this number in the canonical code.
[[nodiscard]] Side side_of(const Canonical& code, uint32_t at);

// Of two instructions that are not the same.
[[nodiscard]] Difference explain(const Canonical& first, uint32_t first_at, const Canonical& second,
                                 uint32_t second_at, const Naming& naming);

} // namespace visor::compare
