#include "module/extent.h"

#include "isa/opcode.h"

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

uint32_t aligned(uint32_t bytes, uint32_t to) {
    return (bytes + to - 1) / to * to;
}

uint32_t block_count(uint64_t code) {
    return 1U << (code & 3U);
}

// How a raw operand lies: blocks of one slot a lane.
struct Slots {
    uint32_t blocks = 1;
    uint32_t pitch = 0; // bytes from one block to the next
    uint32_t lanes = 0;
    uint32_t bytes = 0; // of a slot
    uint32_t used = 0;  // of them, the low ones: what a message takes from a slot for certain

    // The last block ends after its lanes.
    [[nodiscard]] uint32_t span() const { return blocks == 0 ? 0 : (blocks - 1) * pitch + lanes * bytes; }
};

Slots one_block(uint32_t lanes, uint32_t bytes) {
    return {.lanes = lanes, .bytes = bytes, .used = bytes};
}

// `count` blocks that begin `round` lanes apart.
Slots strided(uint32_t count, uint32_t lanes, uint32_t round, uint32_t element) {
    return {.blocks = count, .pitch = round * element, .lanes = lanes, .bytes = element, .used = element};
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

Slots svm_blocks(const Instruction& instruction, uint32_t lanes, uint32_t round) {
    const uint64_t type = literal(instruction, isa::Codec::block_type) & 3U;
    const uint32_t count = block_count(literal(instruction, isa::Codec::block_count));
    if (type == 0)
        return {.lanes = lanes, .bytes = std::max(4U, count), .used = count};
    return strided(count, lanes, round, type == 1 ? 4 : 8);
}

uint32_t address_bytes(const Instruction& instruction) {
    switch (literal(instruction, isa::Codec::lsc_address_size)) {
    case 1:
        return 2;
    case 3:
        return 8;
    default:
        return 4;
    }
}

// Bytes that one element takes in a register, by data size code (facts 5.6: d8 d16 d32 d64 d8u32 d16u32
// d16u32h).
uint32_t lsc_register_bytes(uint64_t code) {
    constexpr std::array<uint8_t, 8> bytes{4, 1, 2, 4, 8, 4, 4, 4};
    return bytes[code & 7U];
}

// Of them, those that memory has, from the lowest on; d16u32h takes the upper ones.
uint32_t lsc_low_bytes(uint64_t code) {
    constexpr std::array<uint8_t, 8> bytes{0, 1, 2, 4, 8, 1, 2, 0};
    return bytes[code & 7U];
}

Slots lsc_data(const Instruction& instruction, uint32_t lanes, uint32_t grf_bytes) {
    constexpr std::array<uint8_t, 9> counts{1, 1, 2, 3, 4, 8, 16, 32, 64};
    const uint64_t size = literal(instruction, isa::Codec::lsc_data_size);
    const uint32_t element = lsc_register_bytes(size);
    const uint32_t low = lsc_low_bytes(size);
    const uint64_t mask = literal(instruction, isa::Codec::lsc_channel_mask) & 15U;
    const uint64_t code = std::min<uint64_t>(literal(instruction, isa::Codec::lsc_data_elements), 8);
    const uint32_t count = mask != 0 ? static_cast<uint32_t>(std::popcount(mask)) : counts[code];
    const bool transposed = literal(instruction, isa::Codec::lsc_data_order) == 2;
    if (transposed)
        return {.lanes = count, .bytes = element, .used = low};
    // Each component starts on a register of its own.
    const uint32_t block = aligned(lanes * element, grf_bytes);
    return {.blocks = count, .pitch = block, .lanes = lanes, .bytes = element, .used = low};
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

// Of a dword, those that element or block count says (codes 0 1 2 = 1 2 4).
uint32_t low_bytes(const Instruction& instruction) {
    const bool legacy = instruction.row->form == isa::TextForm::gather_legacy;
    const isa::Codec codec = legacy ? isa::Codec::element_bytes : isa::Codec::block_count;
    return std::min(block_count(literal(instruction, codec)), 4U);
}

Slots atomic_data(const Instruction& instruction, uint32_t lanes) {
    const uint64_t width = literal(instruction, isa::Codec::atomic_op) >> 5U & 3U;
    if (width == 2)
        return one_block(lanes, 8);
    return {.lanes = lanes, .bytes = 4, .used = width == 1 ? 2U : 4U};
}

// Without slots: fields whose extent is none, or no affair of slots.
Slots slots(const Instruction& instruction, const isa::Field& field, uint32_t grf_bytes) {
    const uint32_t lanes = lane_count(instruction);
    const uint32_t round = std::max(lanes, grf_bytes / 4);
    switch (field.extent) {
    case isa::Extent::lanes_1:
        return one_block(lanes, 1);
    case isa::Extent::lanes_2:
        return one_block(lanes, 2);
    case isa::Extent::lanes_4:
        return {.lanes = lanes, .bytes = 4, .used = field.low_bytes ? low_bytes(instruction) : 4};
    case isa::Extent::lanes_8:
        return one_block(lanes, 8);
    case isa::Extent::channels_4:
        return strided(channels(instruction), lanes, round, 4);
    case isa::Extent::blocks_8:
        return strided(block_count(literal(instruction, isa::Codec::block_count)), lanes, round, 8);
    case isa::Extent::svm_blocks:
        return svm_blocks(instruction, lanes, round);
    case isa::Extent::owords:
        return one_block(1, owords(instruction));
    case isa::Extent::atomic_lanes:
        return atomic_data(instruction, lanes);
    case isa::Extent::lsc_address:
        return one_block(lanes, address_bytes(instruction));
    case isa::Extent::lsc_base:
        return one_block(1, address_bytes(instruction));
    case isa::Extent::lsc_data:
        return lsc_data(instruction, lanes, grf_bytes);
    default:
        return {.blocks = 0};
    }
}

uint32_t stride(uint8_t part) {
    return part == region_absent ? 0 : part;
}

bool is_destination(const isa::Field& field) {
    return field.kind == isa::FieldKind::vector_dst || field.kind == isa::FieldKind::raw_dst;
}

// Bytes of singles that an instruction takes whatever region its operand has (LINE, LRP and PLN pages).
uint64_t ignoring_region(const isa::Row& row, size_t index, uint64_t lanes) {
    constexpr uint64_t quad = 16;
    switch (row.opcode) {
    case isa::opcode::line:
        return index == 1 ? quad : 0;
    case isa::opcode::lrp:
        return lanes * 4;
    case isa::opcode::plane:
        return index == 1 ? quad : index == 2 ? (lanes + 7) / 8 * 64 : 0;
    default:
        return 0;
    }
}

// The elements of a general operand's region.
Footprint region(const Function& function, const Instruction& instruction, size_t index, uint32_t grf_bytes) {
    const Operand& operand = instruction.operands[index];
    const isa::Field& field = isa::field_of_operand(*instruction.row, index);
    const uint32_t size = isa::size_of(general_type(function, operand.id));
    Footprint out{.begin = general_offset(function, operand, grf_bytes), .bytes = size};
    if (field.kind == isa::FieldKind::scalar_src)
        return out;
    const uint32_t lanes = std::max<uint32_t>(instruction.execution.size, 1);
    const uint32_t horizontal = stride(operand.region.horizontal);
    if (is_destination(field)) {
        out.columns = lanes;
        out.column_pitch = std::max(horizontal, 1U) * size;
        return out;
    }
    const uint32_t width = std::max(stride(operand.region.width), 1U);
    out.rows = (lanes - 1) / width + 1;
    out.row_pitch = stride(operand.region.vertical) * size;
    out.columns = std::min(lanes, width);
    out.column_pitch = horizontal * size;
    return out;
}

} // namespace

uint32_t extent(const Instruction& instruction, size_t operand_index, uint32_t grf_bytes) {
    const isa::Field& field = isa::field_of_operand(*instruction.row, operand_index);
    const uint32_t lanes = lane_count(instruction);
    switch (field.extent) {
    case isa::Extent::none:
    case isa::Extent::instruction:
        return 0;
    case isa::Extent::lsc_status:
        return aligned(lsc_data(instruction, lanes, grf_bytes).span(), grf_bytes) + 4;
    case isa::Extent::lsc_block:
        return block_bytes(instruction, grf_bytes);
    case isa::Extent::wide_pair:
        return aligned(lanes * 4, grf_bytes) + lanes * 4;
    default:
        return slots(instruction, field, grf_bytes).span();
    }
}

uint64_t general_offset(const Function& function, const Operand& operand, uint32_t grf_bytes) {
    const uint32_t size = isa::size_of(general_type(function, operand.id));
    return uint64_t{operand.row} * grf_bytes + uint64_t{operand.column} * size;
}

uint64_t general_extent(const Function& function, const Instruction& instruction, size_t operand_index,
                        uint32_t grf_bytes) {
    const Footprint elements = region(function, instruction, operand_index, grf_bytes);
    const uint64_t spanned = elements.end() - elements.begin;
    const isa::Field& field = isa::field_of_operand(*instruction.row, operand_index);
    if (field.kind == isa::FieldKind::scalar_src)
        return spanned;
    const uint64_t lanes = instruction.execution.size;
    const uint64_t wide = extent(instruction, operand_index, grf_bytes);
    if (field.extent == isa::Extent::wide_pair) // both parts are strided
        return spanned + wide - lanes * 4;
    return std::max({spanned, wide, ignoring_region(*instruction.row, operand_index, lanes)});
}

std::optional<Footprint> bytes_read(const Function& function, const Instruction& instruction,
                                    size_t operand_index, uint32_t grf_bytes) {
    const Operand& operand = instruction.operands[operand_index];
    const isa::Row& row = *instruction.row;
    const isa::Field& field = isa::field_of_operand(row, operand_index);
    if (operand.kind == OperandKind::general) {
        const bool by_region = field.kind == isa::FieldKind::scalar_src ||
                               (field.kind == isa::FieldKind::vector_src && isa::has(row, isa::lane_wise) &&
                                ignoring_region(row, operand_index, 1) == 0);
        return by_region ? std::optional(region(function, instruction, operand_index, grf_bytes))
                         : std::nullopt;
    }
    const Slots raw = slots(instruction, field, grf_bytes);
    if (operand.kind != OperandKind::raw || field.kind != isa::FieldKind::raw_src || operand.offset < 0 ||
        raw.blocks == 0 || raw.used == 0)
        return std::nullopt;
    return Footprint{.begin = static_cast<uint64_t>(operand.offset),
                     .rows = raw.blocks,
                     .row_pitch = raw.pitch,
                     .columns = raw.lanes,
                     .column_pitch = raw.bytes,
                     .bytes = raw.used};
}

std::optional<Footprint> bytes_written(const Function& function, const Instruction& instruction,
                                       size_t operand_index, uint32_t grf_bytes) {
    const Operand& operand = instruction.operands[operand_index];
    const isa::Row& row = *instruction.row;
    if (operand.kind == OperandKind::general) {
        const Footprint elements = region(function, instruction, operand_index, grf_bytes);
        return isa::has(row, isa::lane_wise) && elements.bytes != 0 ? std::optional(elements) : std::nullopt;
    }
    const uint32_t wide = extent(instruction, operand_index, grf_bytes);
    const bool block = isa::field_of_operand(row, operand_index).extent == isa::Extent::lsc_block;
    if (operand.kind != OperandKind::raw || operand.offset < 0 || wide == 0 || block)
        return std::nullopt;
    return Footprint{.begin = static_cast<uint64_t>(operand.offset), .bytes = aligned(wide, grf_bytes)};
}

} // namespace visor
