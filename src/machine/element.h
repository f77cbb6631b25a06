// For watchers: the lanes that an instruction runs for, and the register-file offsets of an operand's
// elements. Engines have faster implementations.
#pragma once

#include "isa/row.h"
#include "machine/thread.h"

#include <algorithm>
#include <cstdint>

namespace visor::machine {

// The predicate of sel selects a source and that of add3.o is a result: they disable no lane. Instructions
// without an execution size (faddr) execute once for any mask.
[[nodiscard]] inline uint32_t running_lanes(const Thread& thread, const PreparedInstruction& instruction) {
    const isa::Row& row = *instruction.row;
    if (row.exec_sizes == 0)
        return predicate_lanes(thread, instruction.predicate, instruction.execution) & 1U;
    if (isa::has(row, isa::predicate_selects) || isa::has(row, isa::writes_predicate))
        return masked_lanes(thread, instruction.execution);
    return enabled_lanes(thread, instruction);
}

// Byte offset of a lane's element of a general or indirect operand; lane 0 is the instruction's first. It may
// be outside the register file: address registers hold any number.
[[nodiscard]] inline int64_t element_offset(const Thread& thread, const PreparedOperand& operand,
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
