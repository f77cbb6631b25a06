#include "interp/image_access.h"

#include "machine/state_handle.h"

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

machine::TexelPosition texel_position(machine::ImageShape shape, const std::array<int64_t, 3>& uvr) {
    const unsigned dimensions = dimensions_of(shape);
    machine::TexelPosition position;
    for (size_t d = 0; d < dimensions; ++d)
        position.at[d] = uvr[d];
    if (is_array(shape))
        position.layer = uvr[dimensions];
    return position;
}

uint32_t bytes_of(const Channels& channels, uint32_t lanes) {
    const auto count = static_cast<uint32_t>(std::popcount(channels.mask));
    return payload_bytes(count, channels.channel_bytes, lanes, channels.lane_bytes);
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
