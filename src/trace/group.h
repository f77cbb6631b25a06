// Selects the work-group of a trace or a register dump.
#pragma once

#include "machine/thread.h"

#include <array>
#include <cstdint>
#include <string>
#include <variant>

namespace visor::trace {

// By its number in the launch (dimension 0 varies fastest), or by its ids.
using GroupChoice = std::variant<uint64_t, std::array<uint32_t, 3>>;

[[nodiscard]] uint64_t group_number(const machine::Thread& thread);
[[nodiscard]] bool is_chosen(const GroupChoice& choice, const machine::Thread& thread);
// "3", or "1,0,2"
[[nodiscard]] std::string group_text(const GroupChoice& choice);

} // namespace visor::trace
