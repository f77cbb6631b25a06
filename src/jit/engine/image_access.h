// What compiled code assumes of the image that a message accesses. Its size and address are not among them:
// the code reads them from windows (runtime_abi.h).
#pragma once

#include "machine/image.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace visor::jit {

struct ImageAccess {
    uint32_t instruction = 0; // its code index
    uint32_t window = 0;      // in State::images
    machine::ImageShape shape = machine::ImageShape::d2;
    machine::ImageFormat format;
    machine::Sampler sampler; // of messages that have one

    bool operator==(const ImageAccess&) const = default;
};

// Images with more texels along a dimension have no window: the indices of all others are exact as floats.
inline constexpr uint32_t largest_image_size = 1U << 23U;

// Serializes and deserializes; nothing when the numbers are invalid. The accesses ascend by instruction.
[[nodiscard]] inline std::vector<uint32_t> numbers_of(const std::vector<ImageAccess>& accesses) {
    std::vector<uint32_t> numbers;
    for (const ImageAccess& access : accesses) {
        const machine::Sampler& sampler = access.sampler;
        numbers.insert(
            numbers.end(),
            {access.instruction, access.window,
             static_cast<uint32_t>(access.format.order) << 16U | static_cast<uint32_t>(access.format.type),
             static_cast<uint32_t>(access.shape) | static_cast<uint32_t>(sampler.address) << 8U |
                 static_cast<uint32_t>(sampler.filter) << 16U | (sampler.normalized ? 1U << 24U : 0U) |
                 static_cast<uint32_t>(sampler.comparison) << 25U});
    }
    return numbers;
}

[[nodiscard]] inline std::optional<std::vector<ImageAccess>>
image_accesses_of(std::span<const uint32_t> numbers) {
    constexpr size_t numbers_of_access = 4;
    if (numbers.size() % numbers_of_access != 0)
        return std::nullopt;
    std::vector<ImageAccess> accesses;
    for (; !numbers.empty(); numbers = numbers.subspan(numbers_of_access)) {
        const uint32_t states = numbers[3];
        const ImageAccess access{
            .instruction = numbers[0],
            .window = numbers[1],
            .shape = static_cast<machine::ImageShape>(states & 0xffU),
            .format = {static_cast<machine::ChannelOrder>(numbers[2] >> 16U),
                       static_cast<machine::ChannelType>(numbers[2] & 0xffffU)},
            .sampler = {.address = static_cast<machine::AddressMode>(states >> 8U & 0xffU),
                        .filter = static_cast<machine::FilterMode>(states >> 16U & 0xffU),
                        .normalized = (states >> 24U & 1U) != 0,
                        .comparison = static_cast<machine::Comparison>(states >> 25U)}};
        const bool known = access.shape <= machine::ImageShape::d3 &&
                           machine::bytes_of_pixel(access.format) != 0 &&
                           access.sampler.address <= machine::AddressMode::mirrored_repeat &&
                           access.sampler.filter <= machine::FilterMode::linear &&
                           access.sampler.comparison <= machine::Comparison::always;
        if (!known || (!accesses.empty() && accesses.back().instruction >= access.instruction))
            return std::nullopt;
        accesses.push_back(access);
    }
    return accesses;
}

} // namespace visor::jit
