#include "launch/states.h"

#include "launch/image_property.h"
#include "machine/state_handle.h"

#include <algorithm>
#include <utility>

namespace visor::launch {

namespace {

bool is_handle(const PayloadItem& item) {
    return item.mode == AddressMode::bindless && item.bytes > 0;
}

machine::Surface surface_of_data(const Buffer& data) {
    const auto padding = static_cast<uint32_t>(-data.bytes % 4); // whole dwords (ruling 145)
    return {.kind = data.bytes == 0 ? machine::SurfaceKind::none : machine::SurfaceKind::buffer,
            .address = data.address,
            .bytes = data.bytes + padding,
            .padding = padding};
}

} // namespace

void States::add(machine::Launch& launch, std::span<const ArgumentValue> values,
                 const SurfaceOf& surface_of) {
    for (const PayloadItem& item : signature_.payload) {
        if (const Buffer* data = data_of(item))
            add_data(launch, item, *data);
        else if (item.kind == PayloadKind::inline_sampler)
            add_inline_sampler(launch, item);
        else if (item.kind == PayloadKind::argument_pointer && is_handle(item))
            add_argument(launch, item, values[static_cast<size_t>(item.argument)], surface_of);
    }
}

uint64_t States::handle_of(const PayloadItem& item) const {
    if (item.kind == PayloadKind::scratch_state)
        return machine::scratch_handle;
    const auto found = handles_.find(&item);
    return found == handles_.end() ? 0 : found->second;
}

const Buffer* States::data_of(const PayloadItem& item) const {
    return item.kind == PayloadKind::const_base    ? &data_.constants
           : item.kind == PayloadKind::global_base ? &data_.variables
                                                   : nullptr;
}

machine::Surface States::image_surface(machine::Launch& launch, const machine::Image& image) {
    launch.images.push_back(image);
    return {machine::SurfaceKind::image, image.address, image.bytes(),
            static_cast<uint32_t>(launch.images.size() - 1)};
}

void States::add_surface(machine::Launch& launch, const PayloadItem& item, const machine::Surface& surface) {
    launch.surfaces.resize(std::max<size_t>(launch.surfaces.size(), machine::first_surface_state));
    handles_[&item] = machine::state_handle(static_cast<uint32_t>(launch.surfaces.size()));
    launch.surfaces.push_back(surface);
}

void States::add_sampler(machine::Launch& launch, const PayloadItem& item, const machine::Sampler& sampler) {
    launch.samplers.resize(std::max<size_t>(launch.samplers.size(), machine::first_sampler_state));
    handles_[&item] = machine::state_handle(static_cast<uint32_t>(launch.samplers.size()));
    launch.samplers.push_back(sampler);
}

void States::add_data(machine::Launch& launch, const PayloadItem& item, const Buffer& data) {
    if (is_handle(item))
        add_surface(launch, item, surface_of_data(data));
    if (item.binding < 0)
        return;
    const auto index = static_cast<size_t>(item.binding);
    launch.surfaces.resize(std::max(launch.surfaces.size(), index + 1));
    launch.surfaces[index] = surface_of_data(data);
}

void States::add_inline_sampler(machine::Launch& launch, const PayloadItem& item) {
    for (const InlineSampler& sampler : signature_.inline_samplers)
        if (std::cmp_equal(sampler.index, item.sampler))
            if (const auto known = sampler_of(sampler))
                add_sampler(launch, item, *known);
}

void States::add_argument(machine::Launch& launch, const PayloadItem& item, const ArgumentValue& value,
                          const SurfaceOf& surface_of) {
    if (const auto* buffer = std::get_if<Buffer>(&value))
        add_surface(launch, item, surface_of(*buffer, static_cast<uint32_t>(item.argument)));
    if (const auto* image = std::get_if<machine::Image>(&value))
        add_surface(launch, item, image_surface(launch, *image));
    if (const auto* sampler = std::get_if<machine::Sampler>(&value))
        add_sampler(launch, item, *sampler);
}

} // namespace visor::launch
