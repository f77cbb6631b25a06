// MEDIA_LD and MEDIA_ST: rectangles of an image's bytes. They ignore the execution mask. Reads outside the
// image return the dword at its edge (ruling 213).
#include "interp/image_access.h"
#include "interp/interp.h"

#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "isa/row.h"

namespace visor::interp {
namespace {

using machine::Thread;

namespace opcode = isa::opcode;
namespace field = isa::operand_order::media;

template <class Source>
Rectangle size_of(Source& source, const PreparedInstruction& instruction) {
    return {.width = static_cast<uint32_t>(literal(source, instruction, field::block_width)),
            .height = static_cast<uint32_t>(literal(source, instruction, field::block_height))};
}

template <Direction direction>
void move_block(Thread& thread, const PreparedInstruction& instruction) {
    const auto offset = [&](size_t index) { // a coordinate left of the image, or above it, is negative
        return static_cast<int32_t>(scalar(thread, instruction, operand(thread, instruction, index)));
    };
    Rectangle rectangle = size_of(thread, instruction);
    rectangle.x = offset(field::x_offset);
    rectangle.y = offset(field::y_offset);
    const machine::Image* const of = image(thread, instruction, operand(thread, instruction, field::surface));
    std::byte* const data = raw(thread, instruction, field::data);
    if (failed(thread) || data == nullptr)
        return;
    if constexpr (direction == Direction::load)
        load_rectangle(of, rectangle, OutOfBoundsRead::edge_dword, data);
    else
        store_rectangle(of, rectangle, data);
}

} // namespace

Handler family::media(const Program& program, const PreparedInstruction& instruction) {
    const uint8_t code = instruction.row->opcode;
    if (code != opcode::media_ld && code != opcode::media_st)
        return nullptr;
    // Fields of interlaced pictures and planes of planar ones belong to surfaces that cannot be bound.
    constexpr uint64_t last_of_whole_pictures = 1; // nomod, and modified: a hint
    const Rectangle rectangle = size_of(program, instruction);
    if (literal(program, instruction, field::modifiers) > last_of_whole_pictures ||
        literal(program, instruction, field::plane) != 0 || !is_legal(rectangle) ||
        !has_storage(program, instruction, field::data, rectangle.register_bytes()))
        return nullptr;
    return code == opcode::media_ld ? move_block<Direction::load> : move_block<Direction::store>;
}

} // namespace visor::interp
