#include "exec/launcher.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

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
    std::vector<launch::HandInput> inputs;
    std::map<std::string, launch::Buffer> buffers;
    for (const auto& [name, content] : launch.surfaces) {
        const auto buffer = context.allocate(content.size(), name);
        if (!buffer) {
            outcome.error = buffer.error().text;
            return outcome;
        }
        std::ranges::copy(content, context.bytes_of(*buffer).begin());
        buffers[name] = *buffer;
        inputs.push_back({name, *buffer});
        if (const auto image = launch.images.find(name); image != launch.images.end()) {
            machine::Image pixels = image->second;
            pixels.address = buffer->address;
            inputs.back().value = pixels;
        }
    }
    for (const auto& [name, content] : launch.inputs) {
        if (name == launch.thread_number) {
            inputs.push_back({name, launch::InputFiller{machine::Filler::thread}});
            continue;
        }
        Bytes bytes = content;
        for (const Pointer& pointer : launch.pointers) {
            if (pointer.input == name && !place_pointer(bytes, pointer, buffers[pointer.buffer].address))
                outcome.error = fmt::format("the address of {} does not fit into {}", pointer.buffer, name);
        }
        inputs.push_back({name, launch::InputBytes{std::move(bytes)}});
    }
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
