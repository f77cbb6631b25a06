// What those who watch an instruction are told, or find out: for which lanes it runs, where an operand's
// elements lie in the thread's register file. Engines have faster ways.
#pragma once

#include "isa/row.h"
#include "machine/thread.h"

#include <algorithm>
#include <cstdint>

namespace visor::machine {

// The predicate of sel chooses between sources and that of add3.o is a result, so they switch no lane off.
// What has no execution size (faddr) is done once, whichever lanes are on.
[[nodiscard]] inline uint32_t running_lanes(const Thread& thread, const PreparedInstruction& instruction) {
    const isa::Row& row = *instruction.row;
    if (row.exec_sizes == 0)
        return predicate_lanes(thread, instruction.predicate, instruction.execution) & 1U;
    if (isa::has(row, isa::predicate_selects) || isa::has(row, isa::writes_predicate))
        return masked_lanes(thread, instruction.execution);
    return enabled_lanes(thread, instruction);
}

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
