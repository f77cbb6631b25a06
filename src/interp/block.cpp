// Block messages of surfaces: OWORD_LD, OWORD_LD_UNALIGNED, OWORD_ST. They ignore the execution mask. Each
// dword is a separate access: it reads as zero, or is dropped, if any byte of it is out of bounds.
// Compilers round the size of a block up to the next legal size. They read an array's last oword even if
// it is incomplete.
#include "interp/interp.h"
#include "interp/memory_access.h"

#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "isa/row.h"

namespace visor::interp {
namespace {

using machine::Thread;

namespace opcode = isa::opcode;
namespace load_field = isa::operand_order::oword_ld;
namespace store_field = isa::operand_order::oword_st; // without is_modified

constexpr uint64_t largest_size_code = 4; // 16 owords

template <Direction direction, class Unit>
void units(const Message& message, const SurfaceTarget& target, uint32_t count, std::byte* registers) {
    const Layout layout{.channels = first_channels(count), .lane_stride = 0, .unit_stride = sizeof(Unit)};
    transfer<direction, Unit, Unit>(message, target, layout, registers);
}

// `offset_bytes` is the unit of the offset: an oword, or a byte. Byte offsets are to be dword-aligned.
template <Direction direction, uint32_t offset_bytes>
void owords(Thread& thread, const PreparedInstruction& instruction) {
    constexpr bool load = direction == Direction::load;
    constexpr size_t surface_field = load ? size_t{load_field::surface} : size_t{store_field::surface};
    const SurfaceView view = surface(thread, instruction, operand(thread, instruction, surface_field));
    const uint64_t offset = scalar(thread, instruction, operand(thread, instruction, surface_field + 1));
    if (failed(thread))
        return;
    const uint64_t address = uint64_t{static_cast<uint32_t>(offset)} * offset_bytes;
    const Message message(thread, instruction, surface_offset(view, address));
    expect_aligned(message, 4);
    const uint32_t count = 1U << literal(thread, instruction, load_field::size);
    const SurfaceTarget target(view);
    if (target.find(message.addresses[0], count * uint32_t{sizeof(Oword)}) != nullptr)
        units<direction, Oword>(message, target, count, raw(thread, instruction, surface_field + 2));
    else
        units<direction, uint32_t>(message, target, count * 4, raw(thread, instruction, surface_field + 2));
}

} // namespace

Handler family::block(const Program& program, const PreparedInstruction& instruction) {
    const uint64_t code = literal(program, instruction, load_field::size);
    const bool load = instruction.row->opcode != opcode::oword_st;
    const size_t data = load ? size_t{load_field::dst} : size_t{store_field::src};
    if (code > largest_size_code || !has_storage(program, instruction, data, 16U << code))
        return nullptr;
    switch (instruction.row->opcode) {
    case opcode::oword_ld:
        return owords<Direction::load, 16>;
    case opcode::oword_ld_unaligned:
        return owords<Direction::load, 1>;
    case opcode::oword_st:
        return owords<Direction::store, 16>;
    default:
        return nullptr;
    }
}

} // namespace visor::interp
