// Where an operand's elements lie in a thread's register file, for those who watch. Engines have faster ways.
#pragma once

#include "machine/thread.h"

#include <algorithm>
#include <cstdint>

namespace visor::machine {

// Byte offset of a channel's element of a general or indirect operand, `lane` counted from the instruction's
// first. It may lie outside the register file: address registers hold any number.
[[nodiscard]] inline int64_t element_place(const Thread& thread, const PreparedOperand& operand,
                                           uint32_t lane) {
    const uint32_t width = std::max<uint32_t>(operand.width, 1);
    const int64_t row = lane / width;
    const int64_t column = int64_t{lane % width} * operand.horizontal;
    const int64_t size = isa::size_of(operand.type);
    if (operand.kind == OperandKind::general)
        return operand.base + (row * operand.vertical + column) * size;
    const size_t address = operand.base + (operand.multi_address ? static_cast<size_t>(row) : 0);
    const int64_t element = operand.multi_address ? column : row * operand.vertical + column;
    return int64_t{thread.addresses[address]} + operand.offset + element * size;
}

} // namespace visor::machine
