#include "capture/from_run.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>

namespace visor::capture {

namespace {

std::span<const std::byte> memory_at(uint64_t address, uint64_t bytes) {
    return {machine::Memory::host(address), bytes};
}

Value value_of(const launch::Buffer& buffer, bool is_pointer) {
    if (buffer.address == 0)
        return Null{};
    return Object{.bytes = memory_at(buffer.address - buffer.before, buffer.before + buffer.bytes),
                  .number = 0,
                  .is_pointer = is_pointer || buffer.before != 0,
                  .offset = buffer.before};
}
Value value_of(const machine::Image& image) {
    return Pixels{image, memory_at(image.address, image.bytes()), 0};
}

Value value_of(const launch::ArgumentValue& value, bool is_pointer) {
    if (const auto* bytes = std::get_if<std::vector<std::byte>>(&value))
        return *bytes;
    if (const auto* local = std::get_if<launch::LocalBytes>(&value))
        return Local{local->bytes};
    if (const auto* image = std::get_if<machine::Image>(&value))
        return value_of(*image);
    if (const auto* sampler = std::get_if<machine::Sampler>(&value))
        return *sampler;
    const auto* buffer = std::get_if<launch::Buffer>(&value);
    return buffer == nullptr ? Value(Null{}) : value_of(*buffer, is_pointer);
}

// `bytes`: of the variable, which shorter values fill from its beginning on.
Value value_of(const launch::HandInput& input, uint32_t bytes) {
    if (const auto* content = std::get_if<launch::InputBytes>(&input.value)) {
        std::vector<std::byte> filled = content->content;
        filled.resize(std::max<size_t>(filled.size(), bytes));
        return filled;
    }
    if (const auto* filler = std::get_if<launch::InputFiller>(&input.value))
        return filler->filler;
    if (const auto* image = std::get_if<machine::Image>(&input.value))
        return value_of(*image);
    if (const auto* sampler = std::get_if<machine::Sampler>(&input.value))
        return *sampler;
    return value_of(std::get<launch::Buffer>(input.value), false);
}

Argument argument_of(const launch::HandState& state) {
    Argument out;
    out.index = state.index;
    out.name = fmt::format("surface {}", state.index);
    out.target = Target::surface;
    if (const auto* sampler = std::get_if<machine::Sampler>(&state.value)) {
        out.name = fmt::format("sampler {}", state.index);
        out.target = Target::sampler;
        out.value = *sampler;
    } else if (const auto* image = std::get_if<machine::Image>(&state.value)) {
        out.value = value_of(*image);
    } else {
        out.value = value_of(std::get<launch::Buffer>(state.value), false);
    }
    return out;
}

// Objects are numbered by the first argument that is one, from 1 on.
void number_objects(std::vector<Argument>& arguments) {
    std::map<std::pair<const std::byte*, size_t>, uint64_t> known;
    uint64_t next = 0;
    const auto number = [&](std::span<const std::byte> bytes, uint64_t& out) {
        out = known.try_emplace({bytes.data(), bytes.size()}, ++next).first->second;
    };
    for (Argument& argument : arguments) {
        if (auto* object = std::get_if<Object>(&argument.value))
            number(object->bytes, object->number);
        if (auto* pixels = std::get_if<Pixels>(&argument.value))
            number(pixels->bytes, pixels->number);
    }
}

bool overlaps(std::span<const std::byte> a, std::span<const std::byte> b) {
    return std::less<>{}(a.data(), b.data() + b.size()) && std::less<>{}(b.data(), a.data() + a.size());
}

// Whether an image shares memory with a buffer or with another image.
bool has_shared_pixels(const std::vector<Argument>& arguments) {
    std::vector<std::pair<std::span<const std::byte>, uint64_t>> all;
    for (const Argument& argument : arguments) {
        if (const auto* object = std::get_if<Object>(&argument.value))
            all.emplace_back(object->bytes, object->number);
        if (const auto* pixels = std::get_if<Pixels>(&argument.value))
            all.emplace_back(pixels->bytes, pixels->number);
    }
    return std::ranges::any_of(arguments, [&](const Argument& argument) {
        const auto* pixels = std::get_if<Pixels>(&argument.value);
        return pixels != nullptr && std::ranges::any_of(all, [&](const auto& other) {
                   return other.second != pixels->number && overlaps(other.first, pixels->bytes);
               });
    });
}

// What both sorts of kernels have, when the arguments are there.
void complete(const vm::Program& program, bool indirect, Launch& launch) {
    number_objects(launch.arguments);
    const launch::Buffer variables = vm::variables_of(program);
    if (variables.bytes != 0)
        launch.variables = memory_at(variables.address, variables.bytes);
    if (indirect)
        launch.remark = "it may follow pointers that lie in memory, whose targets are not captured";
    if (has_shared_pixels(launch.arguments))
        launch.remark += fmt::format("{}an image shares memory with another argument and is captured apart",
                                     launch.remark.empty() ? "" : "; ");
}

void set_sizes(const launch::Geometry& geometry, Launch& launch) {
    launch.dimensions = geometry.dimensions;
    launch.global = geometry.global;
    launch.offset = geometry.offset;
    std::ranges::copy(geometry.local, launch.local.begin());
}

} // namespace

Launch launch_of(const Given& given) {
    Launch launch;
    launch.kernel = given.kernel.name;
    set_sizes(given.geometry, launch);
    const auto& parameters = given.kernel.parameters;
    for (size_t k = 0; k < given.values.size() && k < parameters.size(); ++k) {
        const bool is_pointer = k < given.pointers.size() && given.pointers[k] != nullptr;
        launch.arguments.push_back({.name = parameters[k].name,
                                    .type_name = parameters[k].type_name,
                                    .value = value_of(given.values[k], is_pointer)});
    }
    complete(given.program, given.indirect, launch);
    return launch;
}

Launch launch_of(const GivenByHand& given) {
    Launch launch;
    launch.kernel = given.kernel.name;
    set_sizes(given.geometry.items, launch);
    launch.by_hand = HandSizes{.simd = given.geometry.simd,
                               .slm_bytes = given.geometry.slm_bytes,
                               .in_threads = given.geometry.in_threads,
                               .groups = given.geometry.groups,
                               .threads = given.geometry.threads};
    for (const launch::HandInput& input : given.inputs) {
        const auto known = std::ranges::find(given.kernel.parameters, input.name, &vm::Parameter::name);
        const bool is_known = known != given.kernel.parameters.end();
        launch.arguments.push_back({.name = input.name,
                                    .type_name = is_known ? known->type_name : "",
                                    .value = value_of(input, is_known ? known->bytes : 0)});
    }
    for (const launch::HandState& state : given.states)
        launch.arguments.push_back(argument_of(state));
    complete(given.program, false, launch);
    return launch;
}

void add_code(const vm::ProgramContent& content, Launch& launch) {
    launch.device = content.device;
    if (content.kind == vm::InputKind::opencl_c)
        launch.source = content.source;
    if (content.kind == vm::InputKind::spirv)
        launch.spirv = content.source;
    launch.code = content.code;
    launch.code_file = content.code_kind == vm::InputKind::visa_text     ? visa_text_file
                       : content.code_kind == vm::InputKind::visa_binary ? visa_binary_file
                                                                         : binary_file;
    launch.options = content.options;
    for (const vm::KernelText& text : content.texts)
        launch.texts.push_back({text.kernel, text.content});
}

Outcome outcome_of(const std::expected<vm::RunReport, vm::Error>& report) {
    Outcome outcome;
    outcome.over = true;
    if (!report)
        outcome.failure = report.error().text;
    else if (report->error)
        outcome.failure = report->error->text;
    if (report)
        outcome.local = report->local;
    return outcome;
}

} // namespace visor::capture
