// GATHER4_TYPED, SCATTER4_TYPED, TYPED_ATOMIC: pixels without a sampler. The image's format converts them.
#include "interp/atomic_access.h"
#include "interp/image_access.h"

#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "isa/row.h"

namespace visor::interp {

namespace {

using machine::Image;
using machine::LanePixels;
using machine::LaneTexels;
using machine::Pixel;
using machine::Thread;

namespace opcode = isa::opcode;
namespace field = isa::operand_order::gather4_typed;
namespace atomic_field = isa::operand_order::typed_atomic;

LaneTexels texels(Thread& thread, const PreparedInstruction& instruction, const Image& image,
                  uint32_t lanes) {
    machine::LaneIndices indices;
    for (size_t d = 0; d < indices.size(); ++d)
        read_lanes(indices[d].at, raw(thread, instruction, field::u + d), lanes);
    return texels_at(image, indices, lanes);
}

Channels channels_of(const Program& program, const PreparedInstruction& instruction) {
    const auto mask = static_cast<uint32_t>(literal(program, instruction, field::channels) & 15U);
    return {mask, 4, payload_lanes(program, instruction.execution.size) * 4};
}

// Out of bounds: one in the alpha channel, zeros elsewhere (GATHER4_TYPED page).
Pixel outside(const Image* image) {
    constexpr uint32_t float_one = 0x3f800000;
    const bool integer = image != nullptr && machine::is_integer(image->format.type);
    return {0, 0, 0, integer ? 1U : float_one};
}

void gather4_typed(Thread& thread, const PreparedInstruction& instruction) {
    const uint32_t size = instruction.execution.size;
    const Image* source = image(thread, instruction, operand(thread, instruction, field::surface));
    const Channels channels = channels_of(*thread.program, instruction);
    std::byte* const to = raw(thread, instruction, field::data);
    if (to == nullptr)
        return;
    LanePixels pixels;
    if (source == nullptr)
        set_all(pixels, outside(source));
    else
        machine::load_texels(source->format, texels(thread, instruction, *source, size), size, channels.mask,
                             outside(source), pixels);
    write_channels(to, isa::Type::ud, channels, pixels, size, enabled_lanes(thread, instruction));
}

void scatter4_typed(Thread& thread, const PreparedInstruction& instruction) {
    const uint32_t size = instruction.execution.size;
    const Image* target = image(thread, instruction, operand(thread, instruction, field::surface));
    if (target == nullptr)
        return;
    store_pixels(thread, *target, texels(thread, instruction, *target, size),
                 channels_of(*thread.program, instruction), raw(thread, instruction, field::data), size,
                 enabled_lanes(thread, instruction));
}

// A pixel is as wide as the operation's data: 32 bits, or 16 in the low half of a lane's dword.
template <class T>
void typed_atomic(Thread& thread, const PreparedInstruction& instruction) {
    constexpr uint64_t op_bits = 0x1f;
    const Image* target = image(thread, instruction, operand(thread, instruction, atomic_field::surface));
    const bool usable = target != nullptr && machine::bytes_of_pixel(target->format) == sizeof(T);
    Message message(thread, instruction);
    LaneTexels found;
    if (usable)
        found = texels(thread, instruction, *target, message.count);
    for (unsigned lane = 0; lane < message.count; ++lane)
        message.addresses[lane] = usable ? reinterpret_cast<uint64_t>(found[lane]) : 0;
    const auto op = static_cast<uint8_t>(literal(thread, instruction, atomic_field::op) & op_bits);
    update_lanes<T>(message, PixelTarget(), *atomic_row(op), raw(thread, instruction, atomic_field::src0),
                    raw(thread, instruction, atomic_field::src1),
                    raw(thread, instruction, atomic_field::dst));
}

bool have_storage(const Program& program, const PreparedInstruction& instruction, size_t first, size_t end,
                  uint32_t bytes) {
    for (size_t index = first; index < end; ++index)
        if (!has_storage(program, instruction, index, bytes))
            return false;
    return true;
}

Handler typed_atomic_handler(const Program& program, const PreparedInstruction& instruction) {
    const uint64_t op = literal(program, instruction, atomic_field::op);
    const uint64_t width = op >> 5U; // 0: dwords, 1: words
    const bool known = width <= 1 && atomic_row(static_cast<uint8_t>(op & 0x1fU)) != nullptr;
    const bool fits = have_storage(program, instruction, atomic_field::u, atomic_field::dst + 1,
                                   instruction.execution.size * 4U);
    if (!known || !fits)
        return nullptr;
    return width == 0 ? typed_atomic<uint32_t> : typed_atomic<uint16_t>;
}

} // namespace

Handler family::typed(const Program& program, const PreparedInstruction& instruction) {
    const uint8_t code = instruction.row->opcode;
    if (code == opcode::typed_atomic)
        return typed_atomic_handler(program, instruction);
    if (code != opcode::gather4_typed && code != opcode::scatter4_typed)
        return nullptr;
    const uint32_t size = instruction.execution.size;
    const uint32_t bytes = bytes_of(channels_of(program, instruction), size);
    if (!have_storage(program, instruction, field::u, field::lod, size * 4) ||
        !has_storage(program, instruction, field::data, bytes))
        return nullptr;
    return code == opcode::gather4_typed ? gather4_typed : scatter4_typed;
}

} // namespace visor::interp
