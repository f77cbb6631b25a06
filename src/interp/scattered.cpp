// Surface messages by lane: GATHER, SCATTER, their _SCALED and 4_SCALED forms, QW_GATHER and QW_SCATTER.
// Addresses are 32-bit byte offsets, modulo 2^32 (ruling 1); the bounds check uses 64 bits.
#include "interp/interp.h"
#include "interp/memory_access.h"

#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "isa/row.h"

namespace visor::interp {
namespace {

using machine::Thread;

namespace opcode = isa::opcode;
namespace scaled_field = isa::operand_order::gather_scaled;
namespace scaled4_field = isa::operand_order::gather4_scaled;
namespace qword_field = isa::operand_order::qw_gather;
namespace gather_field = isa::operand_order::gather;
namespace scatter_field = isa::operand_order::scatter;

// address[i] = (offset + element_offset[i]) * unit: the sum modulo 2^32 (ruling 1).
void set_addresses(Message& message, const SurfaceView& view, uint32_t offset,
                   const std::byte* element_offsets, uint32_t unit = 1) {
    std::array<uint32_t, max_lanes> elements;
    read_lanes(elements, element_offsets, message.count);
    for (uint32_t i = 0; i < message.count; ++i)
        message.addresses[i] = surface_offset(view, uint64_t{offset + elements[i]} * unit);
}

// GATHER_SCALED and SCATTER_SCALED pages: the low num_blocks bytes of dword i, at any byte address (ruling
// 5).
template <Direction direction, class Unit>
void scaled(Thread& thread, const PreparedInstruction& instruction) {
    namespace field = scaled_field;
    const SurfaceView view = surface(thread, instruction, operand(thread, instruction, field::surface));
    const uint64_t offset = scalar(thread, instruction, operand(thread, instruction, field::offset));
    if (failed(thread))
        return;
    Message message(thread, instruction);
    set_addresses(message, view, static_cast<uint32_t>(offset),
                  raw(thread, instruction, field::element_offset));
    transfer<direction, Unit, uint32_t>(message, SurfaceTarget(view), {},
                                        raw(thread, instruction, field::data));
}

// GATHER4_SCALED and SCATTER4_SCALED pages: the dword of channel c is at address + 4 * c. Its register
// data is at its position among the enabled channels (ruling 2).
template <Direction direction>
void scaled4(Thread& thread, const PreparedInstruction& instruction) {
    namespace field = scaled4_field;
    const SurfaceView view = surface(thread, instruction, operand(thread, instruction, field::surface));
    const uint64_t offset = scalar(thread, instruction, operand(thread, instruction, field::offset));
    if (failed(thread))
        return;
    Message message(thread, instruction);
    set_addresses(message, view, static_cast<uint32_t>(offset),
                  raw(thread, instruction, field::element_offset));
    expect_aligned(message, 4);
    for (uint32_t i = 0; i < message.count; ++i)
        message.addresses[i] &= ~uint64_t{3}; // surface[address / 4]: ruling 3
    const Layout layout{.channels = literal(thread, instruction, field::channels) & 0xfU,
                        .lane_stride = 4,
                        .unit_stride = payload_lanes(*thread.program, instruction.execution.size) * 4};
    transfer<direction, uint32_t, uint32_t>(message, SurfaceTarget(view), layout,
                                            raw(thread, instruction, field::data));
}

// QW_GATHER and QW_SCATTER pages; blocks beyond the first as ruling 11 has them, any alignment (ruling 12).
template <Direction direction>
void qwords(Thread& thread, const PreparedInstruction& instruction) {
    namespace field = qword_field;
    const SurfaceView view = surface(thread, instruction, operand(thread, instruction, field::surface));
    Message message(thread, instruction);
    set_addresses(message, view, 0, raw(thread, instruction, field::offset));
    expect_aligned(message, 8);
    const uint32_t blocks = 1U << literal(thread, instruction, field::num_blocks);
    const Layout layout{.channels = first_channels(blocks),
                        .lane_stride = 8,
                        .unit_stride = payload_lanes(*thread.program, instruction.execution.size) * 8};
    transfer<direction, uint64_t, uint64_t>(message, SurfaceTarget(view), layout,
                                            raw(thread, instruction, field::data));
}

// GATHER and SCATTER pages: size and mask are in num_elts (0, 1, 2 = 8, 16, 1 lanes; mask in bits 7..4).
Execution legacy_execution(uint64_t num_elts) {
    constexpr std::array<uint8_t, 4> sizes{8, 16, 1, 1};
    const auto mask = static_cast<uint8_t>(num_elts >> 4U & 0xfU);
    return {
        .size = sizes[num_elts & 3U], .offset = static_cast<uint8_t>((mask & 7U) * 4U), .no_mask = mask >= 8};
}

// Offsets count elements. There is no predicate.
template <Direction direction, class Unit>
void legacy(Thread& thread, const PreparedInstruction& instruction) {
    constexpr bool load = direction == Direction::load;
    constexpr size_t num_elts = load ? size_t{gather_field::num_elts} : size_t{scatter_field::num_elts};
    const SurfaceView view = surface(thread, instruction, operand(thread, instruction, num_elts + 1));
    const uint64_t offset = scalar(thread, instruction, operand(thread, instruction, num_elts + 2));
    if (failed(thread))
        return;
    const Execution execution = legacy_execution(literal(thread, instruction, num_elts));
    Message message(thread, instruction, execution, masked_lanes(thread, execution));
    set_addresses(message, view, static_cast<uint32_t>(offset), raw(thread, instruction, num_elts + 3),
                  sizeof(Unit));
    transfer<direction, Unit, uint32_t>(message, SurfaceTarget(view), {},
                                        raw(thread, instruction, num_elts + 4));
}

// By the code of the number of bytes: 0, 1, 2 = 1, 2, 4.
template <Direction direction>
Handler scaled_of(uint64_t code) {
    constexpr std::array<Handler, 3> handlers{scaled<direction, uint8_t>, scaled<direction, uint16_t>,
                                              scaled<direction, uint32_t>};
    return code < handlers.size() ? handlers[code] : nullptr; // ruling 7
}
template <Direction direction>
Handler legacy_of(uint64_t code) {
    constexpr std::array<Handler, 3> handlers{legacy<direction, uint8_t>, legacy<direction, uint16_t>,
                                              legacy<direction, uint32_t>};
    return code < handlers.size() ? handlers[code] : nullptr;
}

// Checks that the program's layout reserves the bytes that the handlers access.
struct StorageCheck {
    const Program& program;
    const PreparedInstruction& instruction;

    [[nodiscard]] bool lanes(size_t index, uint32_t count, uint32_t lane_bytes) const {
        return has_storage(program, instruction, index, count * lane_bytes);
    }
    [[nodiscard]] bool payload(size_t index, uint32_t positions, uint32_t lane_bytes) const {
        const uint32_t size = instruction.execution.size;
        const uint32_t stride = payload_lanes(program, size) * lane_bytes;
        return has_storage(program, instruction, index, payload_bytes(positions, stride, size, lane_bytes));
    }
};

Handler choose_scaled(const Program& program, const PreparedInstruction& instruction) {
    namespace field = scaled_field;
    const StorageCheck storage{program, instruction};
    const uint32_t size = instruction.execution.size;
    if (!storage.lanes(field::element_offset, size, 4) || !storage.lanes(field::data, size, 4))
        return nullptr;
    const uint64_t code = literal(program, instruction, field::num_blocks);
    return instruction.row->opcode == opcode::gather_scaled ? scaled_of<Direction::load>(code)
                                                            : scaled_of<Direction::store>(code);
}

Handler choose_scaled4(const Program& program, const PreparedInstruction& instruction) {
    namespace field = scaled4_field;
    const StorageCheck storage{program, instruction};
    const auto channels =
        static_cast<uint32_t>(std::popcount(literal(program, instruction, field::channels) & 0xfU));
    if (!storage.lanes(field::element_offset, instruction.execution.size, 4) ||
        !storage.payload(field::data, channels, 4))
        return nullptr;
    return instruction.row->opcode == opcode::gather4_scaled ? scaled4<Direction::load>
                                                             : scaled4<Direction::store>;
}

Handler choose_qwords(const Program& program, const PreparedInstruction& instruction) {
    namespace field = qword_field;
    const StorageCheck storage{program, instruction};
    const uint64_t code = literal(program, instruction, field::num_blocks);
    if (code > 3 || !storage.lanes(field::offset, instruction.execution.size, 4) ||
        !storage.payload(field::data, 1U << code, 8))
        return nullptr;
    return instruction.row->opcode == opcode::qw_gather ? qwords<Direction::load> : qwords<Direction::store>;
}

Handler choose_legacy(const Program& program, const PreparedInstruction& instruction) {
    const bool load = instruction.row->opcode == opcode::gather;
    const size_t num_elts = load ? size_t{gather_field::num_elts} : size_t{scatter_field::num_elts};
    const uint64_t shape = literal(program, instruction, num_elts);
    const Execution execution = legacy_execution(shape);
    const StorageCheck storage{program, instruction};
    if ((shape & 3U) == 3 || execution.offset + execution.size > max_lanes ||
        !storage.lanes(num_elts + 3, execution.size, 4) || !storage.lanes(num_elts + 4, execution.size, 4))
        return nullptr;
    const uint64_t code = literal(program, instruction, gather_field::elt_size);
    return load ? legacy_of<Direction::load>(code) : legacy_of<Direction::store>(code);
}

} // namespace

Handler family::scattered(const Program& program, const PreparedInstruction& instruction) {
    switch (instruction.row->opcode) {
    case opcode::gather:
    case opcode::scatter:
        return choose_legacy(program, instruction);
    case opcode::gather4_scaled:
    case opcode::scatter4_scaled:
        return choose_scaled4(program, instruction);
    case opcode::gather_scaled:
    case opcode::scatter_scaled:
        return choose_scaled(program, instruction);
    case opcode::qw_gather:
    case opcode::qw_scatter:
        return choose_qwords(program, instruction);
    default:
        return nullptr;
    }
}

} // namespace visor::interp
