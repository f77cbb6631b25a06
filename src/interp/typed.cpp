// GATHER4_TYPED, SCATTER4_TYPED, TYPED_ATOMIC: pixels without a sampler. The image's format converts them.
#include "interp/atomic_access.h"
#include "interp/image_access.h"

#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "isa/row.h"

namespace visor::interp {

namespace {

using machine::Image;
using machine::Pixel;
using machine::TexelPosition;
using machine::Thread;

namespace opcode = isa::opcode;
namespace field = isa::operand_order::gather4_typed;
namespace atomic_field = isa::operand_order::typed_atomic;

struct Coordinates {
    std::array<LaneValues, 3> uvr;

    Coordinates(Thread& thread, const PreparedInstruction& instruction, uint32_t lanes) {
        for (size_t d = 0; d < 3; ++d)
            read_lanes(uvr[d], raw(thread, instruction, field::u + d), lanes);
    }
    [[nodiscard]] TexelPosition at(machine::ImageShape shape, unsigned lane) const {
        return texel_position(shape, {static_cast<int32_t>(uvr[0][lane]), static_cast<int32_t>(uvr[1][lane]),
                                      static_cast<int32_t>(uvr[2][lane])});
    }
};

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
    const Coordinates coordinates(thread, instruction, size);
    const Channels channels = channels_of(*thread.program, instruction);
    std::byte* const to = raw(thread, instruction, field::data);
    for (uint32_t rest = enabled_lanes(thread, instruction); rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const std::byte* at =
            source == nullptr ? nullptr : pixel_at(*source, coordinates.at(source->shape, lane));
        const Pixel pixel = at == nullptr ? outside(source) : machine::load_pixel(source->format, at);
        size_t slot = 0;
        for (size_t c = 0; c < 4 && to != nullptr; ++c) {
            if ((channels.mask >> c & 1U) != 0)
                write_as(to + slot++ * channels.channel_bytes + size_t{lane} * 4, pixel[c]);
        }
    }
}

// Channels that the message omits keep the image's values.
void scatter4_typed(Thread& thread, const PreparedInstruction& instruction) {
    const uint32_t size = instruction.execution.size;
    const Image* target = image(thread, instruction, operand(thread, instruction, field::surface));
    if (target == nullptr)
        return;
    const Coordinates coordinates(thread, instruction, size);
    const Channels channels = channels_of(*thread.program, instruction);
    const std::byte* const from = raw(thread, instruction, field::data);
    unsigned lane = 0;
    for (uint32_t rest = enabled_lanes(thread, instruction); rest != 0; rest &= ~(1U << lane)) {
        lane = next_lane(thread, rest);
        std::byte* at = pixel_at(*target, coordinates.at(target->shape, lane));
        if (at == nullptr)
            continue;
        Pixel pixel{};
        if (channels.mask != 15)
            pixel = machine::load_pixel(target->format, at);
        size_t slot = 0;
        for (size_t c = 0; c < 4; ++c) {
            if ((channels.mask >> c & 1U) != 0)
                pixel[c] = from == nullptr
                               ? 0
                               : read_as<uint32_t>(from + slot++ * channels.channel_bytes + size_t{lane} * 4);
        }
        machine::store_pixel(target->format, pixel, at);
    }
}

// A pixel is as wide as the operation's data: 32 bits, or 16 in the low half of a lane's dword.
template <class T>
void typed_atomic(Thread& thread, const PreparedInstruction& instruction) {
    constexpr uint64_t op_bits = 0x1f;
    const Image* target = image(thread, instruction, operand(thread, instruction, atomic_field::surface));
    const bool usable = target != nullptr && machine::bytes_of_pixel(target->format) == sizeof(T);
    Message message(thread, instruction);
    const Coordinates coordinates(thread, instruction, message.count);
    for (unsigned lane = 0; lane < message.count; ++lane) {
        std::byte* at = usable ? pixel_at(*target, coordinates.at(target->shape, lane)) : nullptr;
        message.addresses[lane] = reinterpret_cast<uint64_t>(at);
    }
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
