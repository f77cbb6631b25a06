// LSC_TYPED: pixels of images by coordinate, and rectangles of their bytes. The image's format converts
// pixels; atomics work on their bits. Pixels outside the image read zero and are not written (ruling 60).
// No surface has more than one sample per pixel, or is compressed (rulings 125, 126).
#include "interp/atomic_access.h"
#include "interp/image_access.h"
#include "interp/lsc_message.h"

#include "isa/operand_order.h"
#include "isa/row.h"
#include "isa/sub_opcode.h"

#include <algorithm>
#include <utility>

namespace visor::interp::lsc {

namespace {

using machine::Image;
using machine::Pixel;
using machine::Thread;

namespace code = isa::sub_opcode::lsc;
namespace field = isa::operand_order::lsc_typed;
namespace block_field = isa::operand_order::lsc_typed_block2d;

const Image* image_of(Thread& thread, const PreparedInstruction& instruction, size_t type, size_t surface,
                      size_t index) {
    const uint64_t handle = scalar(thread, instruction, operand(thread, instruction, surface));
    return image_at(thread, surface_number(thread, instruction, literal(thread, instruction, type), handle,
                                           literal(thread, instruction, index)));
}

// The channels of a pixel that a message moves: named, or the first ones.
uint32_t channels_of(const Program& program, const PreparedInstruction& instruction) {
    const auto mask = static_cast<uint32_t>(literal(program, instruction, field::ch_mask) & 15U);
    const uint64_t code = literal(program, instruction, field::data_elems);
    const uint32_t count = code < element_counts.size() ? element_counts[code] : 0;
    return mask != 0 ? mask : count <= 4 ? (1U << count) - 1 : 0;
}

// Which texel each lane names; nullptr: none.
class Pixels {
public:
    Pixels(Thread& thread, const PreparedInstruction& instruction)
        : image_(image_of(thread, instruction, field::addr_type, field::surface, field::surface_index)) {
        const uint32_t lanes = instruction.execution.size;
        if (image_ == nullptr) {
            std::fill_n(texels_.index.at.begin(), lanes, -1);
            return;
        }
        machine::LaneIndices indices;
        for (size_t d = 0; d < indices.size(); ++d) {
            const Coordinates coordinates = read(thread, instruction, d);
            const auto offset = static_cast<int32_t>(literal(thread, instruction, field::u + 2 * d + 1));
            for (uint32_t lane = 0; lane < lanes; ++lane)
                indices[d][lane] = index(coordinates[lane] + static_cast<uint64_t>(int64_t{offset}));
        }
        texels_ = texels_at(*image_, indices, lanes);
        // An image has one level, and one sample per pixel.
        constexpr size_t level = 3;
        const Coordinates levels = read(thread, instruction, level);
        for (uint32_t lane = 0; lane < lanes; ++lane)
            texels_.index[lane] = levels[lane] != 0 ? -1 : texels_.index[lane];
    }

    [[nodiscard]] const Image* image() const { return image_; }
    [[nodiscard]] const machine::LaneTexels& texels() const { return texels_; }
    [[nodiscard]] uint32_t present(uint32_t enabled) const {
        uint32_t present = 0;
        for (uint32_t rest = enabled; rest != 0; rest &= rest - 1)
            present |= texels_[static_cast<unsigned>(std::countr_zero(rest))] == nullptr ? 0 : rest & -rest;
        return present;
    }

private:
    using Coordinates = std::array<uint64_t, max_lanes>;

    // Coordinates are signed, so that texels left of the image are outside it.
    static Coordinates read(Thread& thread, const PreparedInstruction& instruction, size_t d) {
        const uint64_t size = literal(thread, instruction, field::addr_size);
        Coordinates coordinates{};
        // The level has no offset, but the same stride.
        read_addresses(coordinates, raw(thread, instruction, field::u + 2 * d), instruction.execution.size,
                       size == a32 ? uint64_t{a32s} : size);
        return coordinates;
    }
    // What does not fit is outside every image.
    static int32_t index(uint64_t coordinate) {
        const auto value = static_cast<int64_t>(coordinate);
        return std::in_range<int32_t>(value) ? static_cast<int32_t>(value) : -1;
    }

    const Image* image_;
    machine::LaneTexels texels_;
};

uint32_t channel_stride(const Thread& thread, const PreparedInstruction& instruction) {
    return component_bytes(instruction.execution.size, 4, thread.program->device->grf_bytes);
}

Channels channels_in_registers(const Thread& thread, const PreparedInstruction& instruction) {
    return {channels_of(*thread.program, instruction), 4, channel_stride(thread, instruction)};
}

// Reading the coordinates first lets the result overlap them.
uint32_t load_pixels(Thread& thread, const PreparedInstruction& instruction) {
    const Pixels found(thread, instruction);
    if (failed(thread))
        return 0;
    const uint32_t enabled = enabled_lanes(thread, instruction);
    std::byte* const to = raw(thread, instruction, field::dst_data);
    if (to == nullptr)
        return found.present(enabled);
    const Channels channels = channels_in_registers(thread, instruction);
    const uint32_t lanes = instruction.execution.size;
    machine::LanePixels pixels;
    if (found.image() == nullptr)
        set_all(pixels, {});
    else
        machine::load_texels(found.image()->format, found.texels(), lanes, channels.mask, {}, pixels);
    write_channels(to, isa::Type::ud, channels, pixels, lanes, enabled);
    return found.present(enabled);
}

void load_quad(Thread& thread, const PreparedInstruction& instruction) {
    static_cast<void>(load_pixels(thread, instruction));
}

void load_quad_status(Thread& thread, const PreparedInstruction& instruction) {
    const uint32_t present = load_pixels(thread, instruction);
    const auto count = static_cast<uint32_t>(std::popcount(channels_of(*thread.program, instruction)));
    if (std::byte* const to = raw(thread, instruction, field::dst_data); to != nullptr && !failed(thread))
        write_as(to + size_t{count} * channel_stride(thread, instruction), present);
}

void store_quad(Thread& thread, const PreparedInstruction& instruction) {
    const Pixels found(thread, instruction);
    if (failed(thread) || found.image() == nullptr)
        return;
    store_pixels(thread, *found.image(), found.texels(), channels_in_registers(thread, instruction),
                 raw(thread, instruction, field::src1_data), instruction.execution.size,
                 enabled_lanes(thread, instruction));
}

void load_status(Thread& thread, const PreparedInstruction& instruction) {
    const Pixels pixels(thread, instruction);
    if (failed(thread))
        return;
    const uint32_t present = pixels.present(enabled_lanes(thread, instruction));
    if (std::byte* const dst = raw(thread, instruction, field::dst_data))
        write_as(dst, present);
}

// READ_STATE_INFO: 16 dwords, for any number of lanes (ruling 126).
void read_state_info(Thread& thread, const PreparedInstruction& instruction) {
    const Image* const image =
        image_of(thread, instruction, field::addr_type, field::surface, field::surface_index);
    std::byte* const to = raw(thread, instruction, field::dst_data);
    if (to == nullptr || failed(thread) || enabled_lanes(thread, instruction) == 0)
        return;
    constexpr size_t type_at = 4;
    constexpr size_t format_at = 5;
    constexpr uint32_t no_surface = 7;
    std::array<uint32_t, 16> state{};
    state[type_at] = image == nullptr ? no_surface : machine::surface_type(image->shape);
    state[format_at] = image == nullptr ? 0 : machine::surface_format(image->format);
    std::memcpy(to, state.data(), sizeof state);
}

// For pixels as wide as the operation's data.
template <class T>
void update_pixels(Thread& thread, const PreparedInstruction& instruction) {
    const Pixels pixels(thread, instruction);
    if (failed(thread))
        return;
    const bool usable =
        pixels.image() != nullptr && machine::bytes_of_pixel(pixels.image()->format) == sizeof(T);
    Message message(thread, instruction);
    for (unsigned lane = 0; lane < message.count; ++lane)
        message.addresses[lane] = usable ? reinterpret_cast<uint64_t>(pixels.texels()[lane]) : 0;
    const std::byte* first = raw(thread, instruction, field::src1_data);
    const std::byte* second = raw(thread, instruction, field::src2_data);
    if (compares_first(*instruction.row))
        std::swap(first, second);
    update_lanes<T>(message, PixelTarget(), *atomic_of(*instruction.row), first, second,
                    raw(thread, instruction, field::dst_data));
}

// LOAD_BLOCK2D and STORE_BLOCK2D of the typed page: bytes of rows.
template <Direction direction>
void move_block(Thread& thread, const PreparedInstruction& instruction) {
    namespace at = block_field;
    const auto number = [&](size_t index) {
        return static_cast<int32_t>(scalar(thread, instruction, operand(thread, instruction, index)));
    };
    const auto given = [&](size_t index) {
        return static_cast<int32_t>(literal(thread, instruction, index));
    };
    constexpr bool load = direction == Direction::load;
    const Rectangle rectangle{.x = int64_t{number(at::x)} + given(at::x_offset),
                              .y = int64_t{number(at::y)} + given(at::y_offset),
                              .width = static_cast<uint32_t>(given(at::block_width)),
                              .height = static_cast<uint32_t>(given(at::block_height))};
    const Image* image = image_of(thread, instruction, at::addr_type, at::surface, at::surface_index);
    std::byte* const data = raw(thread, instruction, load ? size_t{at::dst_data} : size_t{at::src1_data});
    if (failed(thread) || data == nullptr)
        return;
    if constexpr (load)
        load_rectangle(image, rectangle, OutOfBoundsRead::zero, data);
    else
        store_rectangle(image, rectangle, data);
}

Handler choose_block(const Program& program, const PreparedInstruction& instruction) {
    const auto get = [&](size_t index) { return literal(program, instruction, index); };
    const Rectangle rectangle{.width = static_cast<uint32_t>(get(block_field::block_width)),
                              .height = static_cast<uint32_t>(get(block_field::block_height))};
    const bool load = instruction.row->sub == code::load_block2d;
    const size_t data = load ? size_t{block_field::dst_data} : size_t{block_field::src1_data};
    if (!is_stateful(get(block_field::addr_type)) || !is_legal(rectangle) ||
        !has_storage(program, instruction, data, rectangle.register_bytes()))
        return nullptr;
    return load ? move_block<Direction::load> : move_block<Direction::store>;
}

Handler choose_atomic(const AtomicRow& operation, uint64_t data_size) {
    switch (data_size) {
    case d16u32:
        return update_pixels<uint16_t>;
    case d32:
        return operation.dword != nullptr ? update_pixels<uint32_t> : nullptr;
    case d64:
        return operation.qword != nullptr ? update_pixels<uint64_t> : nullptr;
    default:
        return nullptr;
    }
}

// Whether all operands of the message have their storage: coordinates, and `bytes` of each data operand.
bool have_storage(const Program& program, const PreparedInstruction& instruction, uint32_t bytes) {
    const uint32_t coordinates =
        instruction.execution.size * address_bytes(literal(program, instruction, field::addr_size));
    for (const size_t index : {field::u, field::v, field::r, field::lod}) {
        if (!has_storage(program, instruction, index, coordinates))
            return false;
    }
    return has_storage(program, instruction, field::dst_data, bytes) &&
           has_storage(program, instruction, field::src1_data, bytes) &&
           has_storage(program, instruction, field::src2_data, bytes);
}

Handler choose_pixels(const Program& program, const PreparedInstruction& instruction, uint32_t channels) {
    const uint32_t grf = program.device->grf_bytes;
    const auto count = static_cast<uint32_t>(std::popcount(channels));
    const uint32_t bytes =
        (count - 1) * component_bytes(instruction.execution.size, 4, grf) + instruction.execution.size * 4U;
    const uint32_t status = component_bytes(instruction.execution.size, 4, grf) * count + 4;
    switch (instruction.row->sub) {
    case code::load_quad:
    case code::load_quad_msrt:
        return have_storage(program, instruction, bytes) ? load_quad : nullptr;
    case code::store_quad:
    case code::store_quad_msrt:
    case code::store_uncompressed:
        return have_storage(program, instruction, bytes) ? store_quad : nullptr;
    case code::load_quad_status:
        return have_storage(program, instruction, status) ? load_quad_status : nullptr;
    case code::load_status:
        return have_storage(program, instruction, 4) ? load_status : nullptr;
    default:
        return nullptr;
    }
}

} // namespace

Handler typed(const Program& program, const PreparedInstruction& instruction) {
    const isa::Row& row = *instruction.row;
    if (row.sub == code::load_block2d || row.sub == code::store_block2d)
        return choose_block(program, instruction);
    const auto get = [&](size_t index) { return literal(program, instruction, index); };
    if (row.sub == code::ccs_update)
        return no_effect; // ruling 125
    if (row.sub == code::read_state_info) {
        constexpr uint32_t state_bytes = 64;
        return is_stateful(get(field::addr_type)) &&
                       has_storage(program, instruction, field::dst_data, state_bytes)
                   ? read_state_info
                   : nullptr;
    }
    const uint64_t data_size = get(field::data_size);
    if (!is_stateful(get(field::addr_type)) || get(field::addr_size) < a16 || get(field::addr_size) > a32s ||
        get(field::data_order) == order_transposed || data_size > d16u32h)
        return nullptr;
    if (const AtomicRow* operation = atomic_of(row)) {
        const uint32_t bytes = instruction.execution.size * uint32_t{register_bytes[data_size]};
        const bool single = get(field::data_elems) == 1;
        return single && have_storage(program, instruction, bytes) ? choose_atomic(*operation, data_size)
                                                                   : nullptr;
    }
    const uint32_t channels = channels_of(program, instruction);
    return data_size == d32 && channels != 0 ? choose_pixels(program, instruction, channels) : nullptr;
}

} // namespace visor::interp::lsc
