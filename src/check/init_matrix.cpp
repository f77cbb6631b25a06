// How definedness moves through products of matrices: a cell of the result is as well defined as the cell
// that it is added to, the row of A and the column of B. Scales of bdpas are taken as defined.
#include "check/init.h"

#include "isa/codec.h"
#include "isa/opcode.h"
#include "isa/operand_order.h"

#include <algorithm>
#include <array>

namespace visor::check {

using machine::Thread;

namespace {

// Operands in wire order; the info word is the last one.
using namespace isa::operand_order::dpas;

constexpr size_t most_columns = 16;
constexpr size_t most_rows = 8;

// Of an element, by the code of the page's table; 0: there is none.
constexpr std::array<uint8_t, 16> precision_bits{0, 1, 1, 2, 2, 4, 4, 8, 8, 16, 16, 8, 32, 0, 8, 4};
constexpr uint8_t first_float = 9;

// Where a product's elements lie, in bytes.
struct Extents {
    uint32_t rows = 0;
    uint32_t columns = 0;
    uint32_t dwords = 0;    // of a column of B
    uint32_t row_bytes = 0; // of A, as far as they are used
    uint32_t row_pitch = 0; // of A: a row has eight depths
};

Extents extents_of(const PreparedInstruction& instruction, uint64_t info_word) {
    const isa::DpasInfo info = isa::dpas_info(info_word);
    if (info.src1_precision >= precision_bits.size() || info.src2_precision >= precision_bits.size() ||
        info.repeat > most_rows || instruction.execution.size > most_columns)
        return {};
    const uint32_t weights = precision_bits.at(info.src1_precision);
    const uint32_t activations = precision_bits.at(info.src2_precision);
    if (weights == 0 || activations == 0)
        return {};
    const bool floats = info.src1_precision >= first_float;
    const uint32_t products = floats ? 32 / weights : std::max(weights, activations) == 8 ? 4 : 8;
    constexpr uint32_t depths = 8;
    return {.rows = info.repeat,
            .columns = instruction.execution.size,
            .dwords = (info.depth * products * weights + 31) / 32,
            .row_bytes = (info.depth * products * activations + 7) / 8,
            .row_pitch = depths * products * activations / 8};
}

// Of dpasw's A a thread of a pair has a part: the even one that to `begin`, the other one the rest.
struct Share {
    uint32_t begin = 0;
    uint32_t end = UINT32_MAX;
};
Share share_of(const Thread& thread, const Extents& extents) {
    constexpr uint32_t grf = 32; // of the devices that have pairs
    const uint32_t registers = (extents.rows * extents.row_pitch + grf - 1) / grf;
    const uint32_t even = (registers + 1) / 2 * grf;
    return thread.index % 2 == 0 ? Share{0, even} : Share{even, UINT32_MAX};
}

} // namespace

void InitChecker::multiply(const Thread& thread, const PreparedInstruction& instruction) {
    const auto operands = thread.program->operands_of(instruction);
    const Extents extents = extents_of(instruction, operands.back().value);
    if (operands[dst].null)
        return;
    const auto taint = [&](size_t operand, uint32_t at, uint32_t bytes) {
        return operands[operand].null
                   ? written
                   : bytes_taint(thread, instruction, int64_t{operands[operand].base} + at, bytes);
    };
    constexpr uint32_t dword = 4;
    std::array<Taint, most_columns> columns{};
    for (uint32_t k = 0; k < extents.dwords; ++k)
        for (uint32_t column = 0; column < extents.columns; ++column)
            columns.at(column) =
                either(columns.at(column), taint(src1, (k * extents.columns + column) * dword, dword));
    const bool paired = instruction.row->opcode == isa::opcode::dpasw;
    const Share share = paired ? share_of(thread, extents) : Share{};
    std::array<Taint, most_rows> rows{};
    for (uint32_t row = 0; row < extents.rows; ++row)
        if (const uint32_t at = row * extents.row_pitch; at >= share.begin && at < share.end)
            rows.at(row) = taint(src2, at - share.begin, extents.row_bytes);
    const auto from_bytes = static_cast<uint32_t>(isa::size_of(operands[src0].type));
    const auto to_bytes = static_cast<uint32_t>(isa::size_of(operands[dst].type));
    std::array<Taint, most_rows * most_columns> cells{}; // the destination may be a source
    for (uint32_t cell = 0; cell < extents.rows * extents.columns; ++cell)
        cells.at(cell) = either(taint(src0, cell * from_bytes, from_bytes),
                                either(columns.at(cell % extents.columns), rows.at(cell / extents.columns)));
    std::vector<Taint>& bytes = registers_of(thread).bytes;
    for (uint32_t cell = 0; cell < extents.rows * extents.columns; ++cell)
        if (const size_t at = size_t{operands[dst].base} + size_t{cell} * to_bytes;
            at + to_bytes <= bytes.size())
            std::fill_n(bytes.begin() + static_cast<ptrdiff_t>(at), to_bytes, cells.at(cell));
}

} // namespace visor::check
