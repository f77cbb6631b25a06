#include "exec/launcher.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <sstream>

namespace visor::exec_test {

namespace {

constexpr double seconds = 60;

bool place_pointer(Bytes& content, const Pointer& pointer, uint64_t address) {
    const uint64_t value = address + pointer.offset;
    if (pointer.place + sizeof value > content.size())
        return false;
    std::memcpy(content.data() + pointer.place, &value, sizeof value);
    return true;
}

std::expected<machine::Image, std::string> image_of(const ImageText& text, const launch::Buffer& pixels) {
    const auto format = machine::format_named(text.format);
    std::vector<uint32_t> sides;
    uint32_t layers = 0;
    std::istringstream words(text.size);
    char between = 'x';
    for (uint32_t number = 0; words >> number; words >> between)
        (between == '/' ? layers : sides.emplace_back()) = number;
    if (!format || sides.empty() || sides.size() > 3)
        return std::unexpected(fmt::format("no image: {} {}", text.format, text.size));
    constexpr std::array plain{machine::ImageShape::d1, machine::ImageShape::d2, machine::ImageShape::d3};
    constexpr std::array layered{machine::ImageShape::d1_array, machine::ImageShape::d2_array,
                                 machine::ImageShape::d3};
    std::array<uint32_t, 3> size{1, 1, 1};
    std::ranges::copy(sides, size.begin());
    machine::Image image = machine::packed_image((layers == 0 ? plain : layered).at(sides.size() - 1),
                                                 *format, size, std::max(layers, 1U));
    image.address = pixels.address;
    if (image.bytes() != pixels.bytes)
        return std::unexpected(fmt::format("the image has {} bytes, given {}", image.bytes(), pixels.bytes));
    return image;
}

std::expected<machine::Sampler, std::string> sampler_of(const std::vector<std::string>& words) {
    machine::Sampler sampler;
    // In the order of the enumerations.
    constexpr std::array<std::string_view, 2> filters{"nearest", "linear"};
    constexpr std::array<std::string_view, 5> modes{"none", "clamp", "clamp_edge", "repeat", "mirror"};
    constexpr std::array<std::string_view, 8> comparisons{
        "never", "less", "equal", "less_equal", "greater", "not_equal", "greater_equal", "always"};
    for (const std::string& word : words) {
        const auto filter = std::ranges::find(filters, word);
        const auto mode = std::ranges::find(modes, word);
        const auto comparison = std::ranges::find(comparisons, word);
        if (word == "normalized")
            sampler.normalized = true;
        else if (filter != filters.end())
            sampler.filter = static_cast<machine::FilterMode>(filter - filters.begin());
        else if (mode != modes.end())
            sampler.address = static_cast<machine::AddressMode>(mode - modes.begin());
        else if (comparison != comparisons.end())
            sampler.comparison = static_cast<machine::Comparison>(comparison - comparisons.begin());
        else
            return std::unexpected("no word of a sampler: " + word);
    }
    return sampler;
}

using Inputs = std::vector<launch::HandInput>;
using Buffers = std::map<std::string, launch::Buffer>;

// "" or what went wrong.
std::string place_surfaces(const Launch& launch, vm::Context& context, Inputs& inputs, Buffers& buffers) {
    for (const auto& [name, content] : launch.surfaces) {
        const auto buffer = context.allocate(content.size(), name);
        if (!buffer)
            return buffer.error().text;
        std::ranges::copy(content, context.bytes_of(*buffer).begin());
        buffers[name] = *buffer;
        const auto text = launch.images.find(name);
        if (text == launch.images.end()) {
            inputs.push_back({name, *buffer});
            continue;
        }
        const auto image = image_of(text->second, *buffer);
        if (!image)
            return image.error();
        inputs.push_back({name, *image});
    }
    for (const auto& [name, words] : launch.samplers) {
        const auto sampler = sampler_of(words);
        if (!sampler)
            return sampler.error();
        inputs.push_back({name, *sampler});
    }
    return "";
}

std::string place_variables(const Launch& launch, const Buffers& buffers, Inputs& inputs) {
    std::string problem;
    for (const auto& [name, content] : launch.inputs) {
        if (name == launch.thread_number) {
            inputs.push_back({name, launch::InputFiller{machine::Filler::thread}});
            continue;
        }
        Bytes bytes = content;
        for (const Pointer& pointer : launch.pointers) {
            const auto buffer = buffers.find(pointer.buffer);
            const uint64_t address = buffer == buffers.end() ? 0 : buffer->second.address;
            if (pointer.input == name && !place_pointer(bytes, pointer, address))
                problem = fmt::format("the address of {} does not fit into {}", pointer.buffer, name);
        }
        inputs.push_back({name, launch::InputBytes{std::move(bytes)}});
    }
    return problem;
}

} // namespace

Outcome launch(const Launch& launch, vm::EngineKind engine) {
    Outcome outcome;
    vm::Context context(*isa::device_named(launch.device));
    vm::LoadOptions options;
    options.device = launch.device;
    std::string warnings;
    const auto program = context.load("case.visaasm", launch.text, options, warnings);
    if (!program) {
        outcome.error = program.error().text;
        return outcome;
    }
    Inputs inputs;
    Buffers buffers;
    outcome.error = place_surfaces(launch, context, inputs, buffers);
    if (!outcome.error.empty())
        return outcome;
    outcome.error = place_variables(launch, buffers, inputs);
    launch::HandGeometry geometry;
    geometry.simd = launch.simd;
    geometry.in_threads = true;
    geometry.threads = launch.threads;
    vm::RunSettings settings;
    settings.engine = engine;
    settings.options.timeout = seconds;
    const auto report = context.run(**program, "", inputs, {}, geometry, settings);
    if (!report) {
        outcome.error = report.error().text;
        return outcome;
    }
    outcome.instructions = report->instructions;
    if (report->error)
        outcome.error = report->error->text;
    outcome.fault = report->fault;
    for (const auto& [name, buffer] : buffers) {
        outcome.addresses[name] = buffer.address;
        const auto bytes = context.bytes_of(buffer);
        outcome.surfaces[name].assign(bytes.begin(), bytes.end());
    }
    return outcome;
}

} // namespace visor::exec_test
