#include "trial_arguments.h"

#include "trial.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace visor::corpus {

namespace {

machine::ImageShape shape_of(const std::string& type) {
    using enum machine::ImageShape;
    const bool array = type.contains("array");
    if (type.contains("image1d_buffer"))
        return d1_buffer;
    if (type.contains("image1d"))
        return array ? d1_array : d1;
    if (type.contains("image3d"))
        return d3;
    return array ? d2_array : d2;
}

machine::Image image_at(uint64_t address, const std::string& type) {
    const machine::ImageShape shape = shape_of(type);
    const unsigned dimensions = machine::dimensions_of(shape);
    machine::Image image = machine::packed_image(
        shape, *machine::format_named("rgba32f"),
        {trial_image_size, dimensions > 1 ? trial_image_size : 1, dimensions > 2 ? trial_image_size : 1},
        machine::is_array(shape) ? 4 : 1);
    image.address = address;
    return image;
}

} // namespace

TrialArguments::TrialArguments(vm::Context& context, const vm::KernelFacts& kernel,
                               const test::Launch& launch)
    : context_(context) {
    for (size_t i = 0; i < launch.arguments.size(); ++i)
        values_.push_back(
            value_of(launch.arguments[i], fmt::format("argument {} `{}`", i, kernel.parameters[i].name)));
}

TrialArguments::~TrialArguments() {
    for (const launch::Buffer& buffer : buffers_)
        context_.memory().free(buffer.address);
    for (const uint64_t address : image_addresses_)
        context_.memory().free(address);
}

launch::ArgumentValue TrialArguments::value_of(const test::Argument& argument, const std::string& label) {
    switch (argument.kind) {
    case test::Argument::Kind::local:
        return launch::LocalBytes{argument.local_bytes};
    case test::Argument::Kind::value:
        return argument.data;
    case test::Argument::Kind::sampler:
        return machine::Sampler{.address = machine::AddressMode::clamp_to_edge};
    case test::Argument::Kind::array:
    case test::Argument::Kind::image:
        break;
    }
    const auto buffer = context_.allocate(argument.data.size(), label);
    if (!buffer)
        throw std::runtime_error(buffer.error().text);
    std::ranges::copy(argument.data, context_.bytes_of(*buffer).begin());
    if (argument.kind == test::Argument::Kind::image) {
        image_addresses_.push_back(buffer->address);
        return image_at(buffer->address, argument.type);
    }
    buffers_.push_back(*buffer);
    return *buffer;
}

void TrialArguments::read_back(test::Launch& launch) const {
    for (size_t i = 0; i < values_.size(); ++i)
        if (const auto* buffer = std::get_if<launch::Buffer>(&values_[i])) {
            const std::span<const std::byte> bytes = context_.bytes_of(*buffer);
            launch.arguments[i].data.assign(bytes.begin(), bytes.end());
        }
}

launch::Geometry geometry_of(const test::Launch& launch) {
    launch::Geometry geometry{.dimensions = launch.dimensions};
    for (size_t d = 0; d < 3; ++d) {
        geometry.global[d] = launch.global[d];
        geometry.local[d] = static_cast<uint32_t>(launch.local[d]);
    }
    return geometry;
}

} // namespace visor::corpus
