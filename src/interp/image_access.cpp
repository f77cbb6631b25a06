#include "interp/image_access.h"

#include "machine/state_handle.h"

#include <fmt/format.h>

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
