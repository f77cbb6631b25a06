// Which bytes of the register file an operand of an instruction reaches, from the row's extent, the operand's
// region and the instruction's literals, so that no stage needs to know an opcode for it.
#pragma once

#include "module/module.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace visor {

// Of a raw operand (rulings 2, 11: channels and blocks are max(exec size, GRF/4) lanes apart); 0 for fields
// without an extent.
[[nodiscard]] uint32_t extent(const Instruction& instruction, size_t operand_index, uint32_t grf_bytes);

// Of a general operand: bytes from its variable's first one.
[[nodiscard]] uint64_t general_offset(const Function& function, const Operand& operand, uint32_t grf_bytes);
// From its first byte to past the last one that any lane touches.
[[nodiscard]] uint64_t general_extent(const Function& function, const Instruction& instruction,
                                      size_t operand_index, uint32_t grf_bytes);

// Elements in rows: which bytes an operand reaches, counted from its variable's first one.
struct Footprint {
    uint64_t begin = 0;
    uint32_t rows = 1;
    uint32_t row_pitch = 0; // bytes, as all below
    uint32_t columns = 1;
    uint32_t column_pitch = 0;
    uint32_t bytes = 0; // of an element

    [[nodiscard]] uint64_t end() const {
        return begin + uint64_t{rows - 1} * row_pitch + uint64_t{columns - 1} * column_pitch + bytes;
    }
};

// What a source, general or raw, reads when all lanes are on, and nothing else; absent: not known to the
// byte.
[[nodiscard]] std::optional<Footprint> bytes_read(const Function& function, const Instruction& instruction,
                                                  size_t operand_index, uint32_t grf_bytes);
// What a destination, general or raw, may write, and perhaps more (a message answers in whole registers);
// absent: anything in its variable.
[[nodiscard]] std::optional<Footprint> bytes_written(const Function& function, const Instruction& instruction,
                                                     size_t operand_index, uint32_t grf_bytes);

} // namespace visor
