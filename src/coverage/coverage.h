// The instruction reference as lists and JSON: what the rows state, what Visor does with each instruction,
// how near its results are. For the command line and the C API; it knows no instruction by name.
#pragma once

#include "isa/row.h"

#include <string>
#include <string_view>
#include <vector>

namespace visor::coverage {

// The mnemonic; typed LSC messages, which share theirs with untyped ones, get ".tgm".
[[nodiscard]] std::string unique_name(const isa::Row& row);
// Every row that the name means, which may be a mnemonic with suffixes, as it stands in text.
[[nodiscard]] std::vector<const isa::Row*> rows_named(std::string_view name);

// Tables for people, a line an instruction; each ends with a newline.
[[nodiscard]] std::string list_text();
[[nodiscard]] std::string coverage_text();
[[nodiscard]] std::string fidelity_text();
// "272 instructions: ..."
[[nodiscard]] std::string coverage_summary();

// For programs (docs/json.md); likewise.
[[nodiscard]] std::string reference_json(const std::vector<const isa::Row*>& rows);
[[nodiscard]] std::string coverage_json();
[[nodiscard]] std::string fidelity_json();

} // namespace visor::coverage
