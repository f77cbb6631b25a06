#include "interp/image_access.h"

#include "machine/state_handle.h"
#include "number/half.h"

#include <fmt/format.h>

namespace visor::interp {

namespace {

// The bytes of an image's rows; for an array or a volume, those of the first slice.
class Rows {
public:
    explicit Rows(const machine::Image* image)
        : image_(image),
          columns_(image == nullptr ? 0 : int64_t{image->size[0]} * machine::bytes_of_pixel(image->format)),
          rows_(image == nullptr ? 0 : image->size[1]) {}

    // nullptr: outside.
    [[nodiscard]] std::byte* at(int64_t x, int64_t y) const {
        if (x < 0 || x >= columns_ || y < 0 || y >= rows_)
            return nullptr;
        return machine::Memory::host(image_->address + static_cast<uint64_t>(y) * image_->row_pitch +
                                     static_cast<uint64_t>(x));
    }
    // The byte at the same offset in the nearest dword of the image.
    [[nodiscard]] std::byte* nearest(int64_t x, int64_t y) const {
        if (columns_ == 0 || rows_ == 0)
            return nullptr;
        constexpr int64_t dword = 4;
        const int64_t in_dword = x & (dword - 1);
        const int64_t last = (columns_ - 1) / dword * dword;
        return at(std::clamp<int64_t>(x - in_dword, 0, last) + in_dword,
                  std::clamp<int64_t>(y, 0, rows_ - 1));
    }

private:
    const machine::Image* image_;
    int64_t columns_; // bytes
    int64_t rows_;
};

// Stores one channel of the enabled lanes.
void write_channel(std::byte* to, isa::Type type, const machine::EachLane<uint32_t>& channel, uint32_t lanes,
                   uint32_t enabled) {
    const bool all = enabled == machine::lane_bits(lanes);
    if (isa::size_of(type) == 4 && all) {
        machine::copy_lanes<uint32_t>(channel.at.data(), lanes, to);
        return;
    }
    for (uint32_t rest = enabled; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        if (isa::size_of(type) != 2)
            write_as(to + size_t{lane} * 4, channel[lane]);
        else if (isa::is_float(type))
            write_as(to + size_t{lane} * 2,
                     number::to_half(static_cast<double>(std::bit_cast<float>(channel[lane])),
                                     number::Rounding::nearest_even));
        else
            write_as(to + size_t{lane} * 2, static_cast<uint16_t>(channel[lane]));
    }
}

} // namespace

const machine::Image* image(machine::Thread& thread, const PreparedInstruction& instruction,
                            const PreparedOperand& operand) {
    return image_at(thread, surface(thread, instruction, operand).index);
}

const machine::Image* image_at(const machine::Thread& thread, uint32_t binding_table_index) {
    const machine::Launch& launch = *thread.launch;
    if (binding_table_index >= launch.surfaces.size())
        return nullptr;
    const machine::Surface& bound = launch.surfaces[binding_table_index];
    if (bound.kind != machine::SurfaceKind::image || bound.image >= launch.images.size())
        return nullptr;
    return &launch.images[bound.image];
}

machine::Sampler sampler(machine::Thread& thread, const PreparedInstruction& instruction,
                         const PreparedOperand& operand) {
    const bool general = operand.kind != OperandKind::sampler;
    if (general || operand.base == thread.program->bindless_sampler) {
        const uint64_t handle =
            general ? scalar(thread, instruction, operand) : thread.samplers[operand.base];
        const machine::Sampler* state = machine::sampler_of_handle(*thread.launch, handle);
        if (state == nullptr)
            thread.fail(machine::FaultKind::bad_state, instruction,
                        general || handle != UINT32_MAX
                            ? fmt::format("the handle 0x{:x} names no sampler state", handle)
                            : "S31 names no sampler state: nothing moved a handle there");
        return state == nullptr ? machine::Sampler{} : *state;
    }
    const uint32_t index = thread.samplers[operand.base];
    return index < thread.launch->samplers.size() ? thread.launch->samplers[index] : machine::Sampler{};
}

uint32_t bytes_of(const Channels& channels, uint32_t lanes) {
    const auto count = static_cast<uint32_t>(std::popcount(channels.mask));
    return payload_bytes(count, channels.channel_bytes, lanes, channels.lane_bytes);
}

void set_all(machine::LanePixels& pixels, const machine::Pixel& pixel) {
    for (size_t c = 0; c < 4; ++c)
        pixels[c].at.fill(pixel[c]);
}

void write_channels(std::byte* to, isa::Type type, const Channels& channels,
                    const machine::LanePixels& pixels, uint32_t lanes, uint32_t enabled) {
    for (uint32_t left = channels.mask; left != 0; left &= left - 1, to += channels.channel_bytes)
        write_channel(to, type, pixels[static_cast<unsigned>(std::countr_zero(left))], lanes, enabled);
}

void store_pixels(machine::Thread& thread, const machine::Image& image, const machine::LaneTexels& texels,
                  const Channels& channels, const std::byte* from, uint32_t lanes, uint32_t enabled) {
    machine::LanePixels pixels;
    constexpr uint32_t every_channel = 15;
    if (channels.mask != every_channel)
        machine::load_texels(image.format, texels, lanes, every_channel, {}, pixels);
    for (uint32_t left = channels.mask; left != 0; left &= left - 1) {
        read_lanes(pixels[static_cast<unsigned>(std::countr_zero(left))].at, from, lanes);
        from = from == nullptr ? nullptr : from + channels.channel_bytes;
    }
    const machine::LaneWords words = machine::encode_texels(image.format, pixels, lanes);
    unsigned lane = 0;
    for (uint32_t rest = enabled; rest != 0; rest &= ~(1U << lane)) {
        lane = next_lane(thread, rest);
        if (texels[lane] != nullptr)
            machine::store_texel(image.format, words, lane, texels[lane]);
    }
}

void load_rectangle(const machine::Image* image, const Rectangle& rectangle, OutOfBoundsRead out_of_bounds,
                    std::byte* registers) {
    const Rows rows(image);
    for (uint32_t row = 0; row < rectangle.height; ++row) {
        std::byte* const slots = registers + size_t{row} * rectangle.register_pitch();
        for (uint32_t column = 0; column < rectangle.width; ++column) {
            const int64_t x = rectangle.x + column;
            const int64_t y = rectangle.y + row;
            std::byte* const byte =
                out_of_bounds == OutOfBoundsRead::zero ? rows.at(x, y) : rows.nearest(x, y);
            write_as(slots + column, byte == nullptr ? uint8_t{0} : load_shared<uint8_t>(byte));
        }
    }
}

void store_rectangle(const machine::Image* image, const Rectangle& rectangle, const std::byte* registers) {
    const Rows rows(image);
    for (uint32_t row = 0; row < rectangle.height; ++row) {
        const std::byte* const slots = registers + size_t{row} * rectangle.register_pitch();
        for (uint32_t column = 0; column < rectangle.width; ++column) {
            if (std::byte* const byte = rows.at(rectangle.x + column, rectangle.y + row))
                store_shared(byte, read_as<uint8_t>(slots + column));
        }
    }
}

} // namespace visor::interp
