// Flat messages: SVM_BLOCK_LD and _ST, SVM_GATHER and _SCATTER, their 4_SCALED forms. Addresses are 64-bit
// and byte-exact at any alignment (ruling 17). An access outside every allocation ends the thread (ruling
// 30). SVM_ATOMIC is in atomic.cpp.
#include "interp/interp.h"
#include "interp/memory_access.h"

#include "isa/codec.h"
#include "isa/operand_order.h"
#include "isa/row.h"
#include "isa/sub_opcode.h"

namespace visor::interp {
namespace {

using machine::Thread;

namespace code = isa::sub_opcode::svm;
namespace block_field = isa::operand_order::svm_block;
namespace lane_field = isa::operand_order::svm_gather;
namespace scaled4_field = isa::operand_order::svm_gather4scaled;

constexpr uint64_t largest_size_code = 4; // 16 owords: ruling 18

// SVM_BLOCK_LD page: contiguous owords, every lane; the registers after them keep their values (ruling
// 19).
template <Direction direction>
void block(Thread& thread, const PreparedInstruction& instruction) {
    const uint64_t address = scalar(thread, instruction, operand(thread, instruction, block_field::address));
    if (failed(thread))
        return;
    const uint64_t properties = literal(thread, instruction, block_field::properties);
    const Message message(thread, instruction, address);
    expect_aligned(message, (properties & isa::svm_block_unaligned_read) != 0 ? 4 : 16);
    const Layout layout{
        .channels = first_channels(1U << (properties & 7U)), .lane_stride = 0, .unit_stride = sizeof(Oword)};
    transfer<direction, Oword, Oword>(message, FlatTarget(), layout,
                                      raw(thread, instruction, block_field::data));
}

Message with_addresses(Thread& thread, const PreparedInstruction& instruction) {
    Message message(thread, instruction);
    read_lanes(message.addresses, raw(thread, instruction, lane_field::addresses), message.count);
    return message;
}

// SVM_GATHER page, blocks of 4 or 8 bytes: block j of every lane, then block j + 1 (facts: R lanes apart).
template <Direction direction, class Unit>
void blocks(Thread& thread, const PreparedInstruction& instruction) {
    const Message message = with_addresses(thread, instruction);
    expect_aligned(message, sizeof(Unit));
    const uint32_t stride = payload_lanes(*thread.program, instruction.execution.size) * sizeof(Unit);
    const Layout layout{.channels =
                            first_channels(1U << literal(thread, instruction, lane_field::num_blocks)),
                        .lane_stride = sizeof(Unit),
                        .unit_stride = stride};
    transfer<direction, Unit, Unit>(message, FlatTarget(), layout,
                                    raw(thread, instruction, lane_field::data));
}

// SVM_GATHER page, blocks of 1 byte: lane i owns a dword, or with 8 blocks a qword, and its bytes are
// contiguous.
template <Direction direction, class Unit, class Slot>
void bytes(Thread& thread, const PreparedInstruction& instruction) {
    const Message message = with_addresses(thread, instruction);
    const Layout layout{.channels = 1, .lane_stride = sizeof(Slot), .unit_stride = 0};
    transfer<direction, Unit, Slot>(message, FlatTarget(), layout,
                                    raw(thread, instruction, lane_field::data));
}

// SVM_GATHER4_SCALED page: address + element_offset[i] + 4 * channel.
template <Direction direction>
void scaled4(Thread& thread, const PreparedInstruction& instruction) {
    namespace field = scaled4_field;
    const uint64_t address = scalar(thread, instruction, operand(thread, instruction, field::address));
    if (failed(thread))
        return;
    Message message(thread, instruction);
    read_lanes(message.addresses, raw(thread, instruction, field::element_offset), message.count);
    for (uint32_t i = 0; i < message.count; ++i)
        message.addresses[i] += address;
    expect_aligned(message, 4);
    const Layout layout{.channels = literal(thread, instruction, field::channels) & 0xfU,
                        .lane_stride = 4,
                        .unit_stride = payload_lanes(*thread.program, instruction.execution.size) * 4};
    transfer<direction, uint32_t, uint32_t>(message, FlatTarget(), layout,
                                            raw(thread, instruction, field::data));
}

template <Direction direction>
Handler choose_block(const Program& program, const PreparedInstruction& instruction) {
    const uint64_t code = literal(program, instruction, block_field::properties) & 7U;
    const bool fits =
        code <= largest_size_code && has_storage(program, instruction, block_field::data, 16U << code);
    return fits ? block<direction> : nullptr;
}

// Block sizes 1, 4, 8 as codes 0, 1, 2; the page of SVM_GATHER numbers the last one 3.
template <Direction direction>
Handler choose_lanes(const Program& program, const PreparedInstruction& instruction) {
    const uint64_t type = literal(program, instruction, lane_field::block_size);
    const uint64_t code = literal(program, instruction, lane_field::num_blocks);
    const uint32_t size = instruction.execution.size;
    if (code > 3 || type > 3 || !has_storage(program, instruction, lane_field::addresses, size * 8))
        return nullptr;
    const uint32_t unit = type == 0 ? (code == 3 ? 8 : 4) : type == 1 ? 4 : 8;
    const uint32_t positions = type == 0 ? 1U : 1U << code;
    const uint32_t stride = payload_lanes(program, size) * unit;
    if (!has_storage(program, instruction, lane_field::data, payload_bytes(positions, stride, size, unit)))
        return nullptr;
    constexpr std::array<Handler, 4> by_count{
        bytes<direction, uint8_t, uint32_t>, bytes<direction, uint16_t, uint32_t>,
        bytes<direction, uint32_t, uint32_t>, bytes<direction, uint64_t, uint64_t>};
    if (type == 0)
        return by_count[code];
    return type == 1 ? blocks<direction, uint32_t> : blocks<direction, uint64_t>;
}

template <Direction direction>
Handler choose_scaled4(const Program& program, const PreparedInstruction& instruction) {
    namespace field = scaled4_field;
    const uint32_t size = instruction.execution.size;
    const auto channels =
        static_cast<uint32_t>(std::popcount(literal(program, instruction, field::channels) & 0xfU));
    const uint32_t bytes = payload_bytes(channels, payload_lanes(program, size) * 4, size, 4);
    const bool fits = has_storage(program, instruction, field::element_offset, size * 8) &&
                      has_storage(program, instruction, field::data, bytes);
    return fits ? scaled4<direction> : nullptr;
}

} // namespace

Handler family::svm(const Program& program, const PreparedInstruction& instruction) {
    switch (instruction.row->sub) {
    case code::block_ld:
        return choose_block<Direction::load>(program, instruction);
    case code::block_st:
        return choose_block<Direction::store>(program, instruction);
    case code::gather:
        return choose_lanes<Direction::load>(program, instruction);
    case code::scatter:
        return choose_lanes<Direction::store>(program, instruction);
    case code::gather4scaled:
        return choose_scaled4<Direction::load>(program, instruction);
    case code::scatter4scaled:
        return choose_scaled4<Direction::store>(program, instruction);
    default:
        return nullptr;
    }
}

} // namespace visor::interp
