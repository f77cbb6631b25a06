// How many bytes of the register file an operand of an instruction spans, from the row's extent and the
// instruction's literals, so that no stage needs to know an opcode for it.
#pragma once

#include "module/module.h"

#include <cstddef>
#include <cstdint>

namespace visor {

// Of a raw operand (rulings 2, 11: channels and blocks are max(exec size, GRF/4) lanes apart); 0 for fields
// without an extent.
[[nodiscard]] uint32_t extent(const Instruction& instruction, size_t operand_index, uint32_t grf_bytes);

} // namespace visor
