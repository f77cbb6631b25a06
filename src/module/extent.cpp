#include "module/extent.h"

#include <algorithm>
#include <array>
#include <bit>

namespace visor {

namespace {

// The value of the first literal of this codec; 0 when the row has none.
uint64_t literal(const Instruction& instruction, isa::Codec codec) {
    for (size_t i = 0; i < instruction.operands.size(); ++i) {
        const isa::Field& field = isa::field_of_operand(*instruction.row, i);
        const bool is_literal = instruction.operands[i].kind == OperandKind::literal;
        if (is_literal && field.codec == codec)
            return instruction.operands[i].value;
    }
    return 0;
}

uint32_t block_count(uint64_t code) {
    return 1U << (code & 3U);
}

// The last of `count` blocks that lie `round` lanes apart ends after `lanes` lanes.
uint32_t strided(uint32_t count, uint32_t lanes, uint32_t round, uint32_t element) {
    return count == 0 ? 0 : ((count - 1) * round + lanes) * element;
}

// GATHER and SCATTER have no execution size: their element count says how many lanes there are.
uint32_t lane_count(const Instruction& instruction) {
    constexpr std::array<uint8_t, 4> counts{8, 16, 1, 1};
    if (instruction.row->form != isa::TextForm::gather_legacy)
        return instruction.execution.size;
    return counts[literal(instruction, isa::Codec::element_count) & 3U];
}

uint32_t channels(const Instruction& instruction) {
    return static_cast<uint32_t>(std::popcount(literal(instruction, isa::Codec::channel_mask) & 15U));
}

uint32_t svm_blocks(const Instruction& instruction, uint32_t lanes, uint32_t round) {
    const uint64_t type = literal(instruction, isa::Codec::block_type) & 3U;
    const uint32_t count = block_count(literal(instruction, isa::Codec::block_count));
    if (type == 0)
        return lanes * std::max(4U, count);
    return strided(count, lanes, round, type == 1 ? 4 : 8);
}

uint32_t lsc_address(const Instruction& instruction, uint32_t lanes) {
    switch (literal(instruction, isa::Codec::lsc_address_size)) {
    case 1:
        return lanes * 2;
    case 3:
        return lanes * 8;
    default:
        return lanes * 4;
    }
}

// Bytes that one element takes in a register, by data size code (facts 5.6: d8 d16 d32 d64 d8u32 d16u32
// d16u32h).
uint32_t lsc_register_bytes(uint64_t code) {
    constexpr std::array<uint8_t, 8> bytes{4, 1, 2, 4, 8, 4, 4, 4};
    return bytes[code & 7U];
}

uint32_t lsc_data(const Instruction& instruction, uint32_t lanes, uint32_t grf_bytes) {
    constexpr std::array<uint8_t, 9> counts{1, 1, 2, 3, 4, 8, 16, 32, 64};
    const uint32_t element = lsc_register_bytes(literal(instruction, isa::Codec::lsc_data_size));
    const uint64_t mask = literal(instruction, isa::Codec::lsc_channel_mask) & 15U;
    const uint64_t code = std::min<uint64_t>(literal(instruction, isa::Codec::lsc_data_elements), 8);
    const uint32_t count = mask != 0 ? static_cast<uint32_t>(std::popcount(mask)) : counts[code];
    const bool transposed = literal(instruction, isa::Codec::lsc_data_order) == 2;
    if (transposed)
        return count * element;
    // Each component starts on a register of its own.
    const uint32_t block = (lanes * element + grf_bytes - 1) / grf_bytes * grf_bytes;
    return (count - 1) * block + lanes * element;
}

uint32_t aligned(uint32_t bytes, uint32_t to) {
    return (bytes + to - 1) / to * to;
}

// The value of the literal of this name; 1 when the row has none.
uint64_t named(const Instruction& instruction, const char* name) {
    const int index = isa::operand_index(*instruction.row, name);
    return index < 0 ? 1 : instruction.operands[static_cast<size_t>(index)].value;
}

// LSC_UNTYPED, LOAD_BLOCK2D; of LSC_TYPED, whose blocks are counted in bytes, the rows alone.
uint32_t block_bytes(const Instruction& instruction, uint32_t grf_bytes) {
    const uint64_t width = named(instruction, "block_width") & 0xffffU;
    const uint64_t height = named(instruction, "block_height") & 0xffffU;
    if (isa::operand_index(*instruction.row, "data_size") < 0)
        return static_cast<uint32_t>(std::max<uint64_t>(std::bit_ceil(width), 4) * height);
    const uint64_t element = lsc_register_bytes(literal(instruction, isa::Codec::lsc_data_size));
    const bool transposed = literal(instruction, isa::Codec::lsc_data_order) == 2;
    const uint64_t in_dword = named(instruction, "vnni") != 0 && element < 4 ? 4 / element : 1;
    const uint64_t rows = transposed ? width : height;
    const uint64_t elements =
        std::bit_ceil(transposed ? height : width) * ((rows + in_dword - 1) / in_dword * in_dword);
    const uint64_t block = (elements * element + grf_bytes - 1) / grf_bytes * grf_bytes;
    const uint64_t blocks = named(instruction, "blocks") & 0xffU;
    return static_cast<uint32_t>(std::min<uint64_t>(block * blocks, UINT32_MAX));
}

uint32_t owords(const Instruction& instruction) {
    for (const isa::Codec codec : {isa::Codec::svm_block, isa::Codec::oword_count}) {
        for (size_t i = 0; i < instruction.operands.size(); ++i) {
            if (isa::field_of_operand(*instruction.row, i).codec == codec)
                return 16U << (instruction.operands[i].value & 7U);
        }
    }
    return 16;
}

} // namespace

uint32_t extent(const Instruction& instruction, size_t operand_index, uint32_t grf_bytes) {
    const uint32_t lanes = lane_count(instruction);
    const uint32_t round = std::max(lanes, grf_bytes / 4);
    switch (isa::field_of_operand(*instruction.row, operand_index).extent) {
    case isa::Extent::none:
    case isa::Extent::instruction:
        return 0;
    case isa::Extent::lanes_1:
        return lanes;
    case isa::Extent::lanes_2:
        return lanes * 2;
    case isa::Extent::lanes_4:
        return lanes * 4;
    case isa::Extent::lanes_8:
        return lanes * 8;
    case isa::Extent::channels_4:
        return strided(channels(instruction), lanes, round, 4);
    case isa::Extent::blocks_8:
        return strided(block_count(literal(instruction, isa::Codec::block_count)), lanes, round, 8);
    case isa::Extent::svm_blocks:
        return svm_blocks(instruction, lanes, round);
    case isa::Extent::owords:
        return owords(instruction);
    case isa::Extent::atomic_lanes:
        return (literal(instruction, isa::Codec::atomic_op) >> 5U & 3U) == 2 ? lanes * 8 : lanes * 4;
    case isa::Extent::lsc_address:
        return lsc_address(instruction, lanes);
    case isa::Extent::lsc_base:
        return lsc_address(instruction, 1);
    case isa::Extent::lsc_data:
        return lsc_data(instruction, lanes, grf_bytes);
    case isa::Extent::lsc_status:
        return aligned(lsc_data(instruction, lanes, grf_bytes), grf_bytes) + 4;
    case isa::Extent::lsc_block:
        return block_bytes(instruction, grf_bytes);
    case isa::Extent::wide_pair:
        return (lanes * 4 + grf_bytes - 1) / grf_bytes * grf_bytes + lanes * 4;
    }
    return 0;
}

} // namespace visor
