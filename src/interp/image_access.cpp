#include "interp/image_access.h"

namespace visor::interp {

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

machine::Sampler sampler(const machine::Thread& thread, const PreparedOperand& operand) {
    const uint32_t index = thread.samplers[operand.base];
    return index < thread.launch->samplers.size() ? thread.launch->samplers[index] : machine::Sampler{};
}

machine::Place place_of(machine::ImageShape shape, const std::array<int64_t, 3>& uvr) {
    const unsigned dimensions = dimensions_of(shape);
    machine::Place place;
    for (size_t d = 0; d < dimensions; ++d)
        place.at[d] = uvr[d];
    if (is_array(shape))
        place.layer = uvr[dimensions];
    return place;
}

uint32_t bytes_of(const Channels& channels, uint32_t lanes) {
    const auto count = static_cast<uint32_t>(std::popcount(channels.mask));
    return payload_bytes(count, channels.channel_bytes, lanes, channels.lane_bytes);
}

} // namespace visor::interp
