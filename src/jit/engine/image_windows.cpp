#include "jit/engine/image_windows.h"

#include "jit/engine/surface_windows.h"
#include "machine/guarded_memory.h"
#include "machine/state_handle.h"

#include <algorithm>
#include <cstring>

namespace visor::jit {

namespace {

using machine::Image;
using machine::Launch;

std::optional<uint32_t> input_at(const Launch& launch, uint32_t register_byte) {
    uint32_t value = 0;
    for (const machine::ImageInput& input : launch.image_inputs) {
        const uint64_t from = uint64_t{input.image_offset} + register_byte - input.register_offset;
        if (register_byte < input.register_offset ||
            uint64_t{register_byte} + sizeof value > uint64_t{input.register_offset} + input.bytes ||
            from + sizeof value > launch.image.size())
            continue;
        std::memcpy(&value, launch.image.data() + from, sizeof value);
        return value;
    }
    return std::nullopt;
}

// The number or handle that the source holds.
std::optional<uint32_t> value_of(const StateSource& source, const Launch& launch,
                                 const std::vector<uint32_t>& preset) {
    switch (source.kind) {
    case StateSource::Kind::value:
        return source.value;
    case StateSource::Kind::preset:
        return source.value < preset.size() ? std::optional(preset[source.value]) : std::nullopt;
    case StateSource::Kind::input:
        break;
    }
    const auto value = input_at(launch, source.value);
    return value ? std::optional(*value | source.set_bits) : std::nullopt;
}

// Whether offsets of texels fit 31 bits, and each texel is in its own place.
bool is_regular(const Image& image) {
    const uint64_t row_bytes = uint64_t{image.size[0]} * machine::bytes_of_pixel(image.format);
    const uint64_t bytes = image.bytes();
    return row_bytes != 0 && bytes <= largest_window && row_bytes <= image.row_pitch &&
           image.row_pitch <= image.slice_pitch && image.slice_pitch / image.row_pitch >= image.size[1] &&
           image.size[1] != 0 && image.size[2] != 0 && image.layers != 0 &&
           std::ranges::max(image.size) <= largest_image_size && image.layers <= largest_image_size;
}

// nullptr: no image, or none that compiled code accesses.
const Image* image_of(const StateSource& source, const Launch& launch) {
    const auto value = value_of(source, launch, launch.preset_surfaces);
    if (!value)
        return nullptr;
    const uint32_t number = source.handle ? machine::surface_of_handle(launch, *value) : *value;
    if (number >= launch.surfaces.size())
        return nullptr;
    const machine::Surface& surface = launch.surfaces[number];
    if (surface.kind != machine::SurfaceKind::image || surface.image >= launch.images.size())
        return nullptr;
    const Image& image = launch.images[surface.image];
    return is_regular(image) ? &image : nullptr;
}

const machine::Sampler* sampler_of(const StateSource& source, const Launch& launch) {
    const auto value = value_of(source, launch, launch.preset_samplers);
    if (!value)
        return nullptr;
    if (source.handle)
        return machine::sampler_of_handle(launch, *value);
    return *value < launch.samplers.size() ? &launch.samplers[*value] : nullptr;
}

} // namespace

std::vector<ImageAccess> image_accesses(const ImageMessages& messages, const Launch& launch) {
    std::vector<ImageAccess> accesses;
    for (const ImageMessage& message : messages.messages) {
        const Image* const image = image_of(messages.surfaces[message.surface], launch);
        const machine::Sampler* const sampler =
            message.sampler ? sampler_of(*message.sampler, launch) : nullptr;
        if (image == nullptr || (message.sampler && sampler == nullptr))
            continue;
        accesses.push_back({.instruction = message.instruction,
                            .window = message.surface,
                            .shape = image->shape,
                            .format = image->format,
                            .sampler = sampler == nullptr ? machine::Sampler{} : *sampler});
    }
    return accesses;
}

std::vector<ImageWindow> image_windows(const ImageMessages& messages, const Launch& launch) {
    std::vector<ImageWindow> windows;
    for (const StateSource& source : messages.surfaces) {
        const Image* const image = image_of(source, launch);
        if (image == nullptr) {
            windows.push_back({.data = machine::no_access_address()});
            continue;
        }
        windows.push_back({.data = machine::Memory::host(image->address),
                           .bytes = image->bytes(),
                           .size = image->size,
                           .layers = image->layers,
                           .row_pitch = static_cast<uint32_t>(image->row_pitch),
                           .slice_pitch = static_cast<uint32_t>(image->slice_pitch)});
    }
    return windows;
}

} // namespace visor::jit
