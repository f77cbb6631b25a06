#include "vm/debug.h"

#include "debug/variables.h"
#include "isa/type.h"
#include "vm/loaded.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <utility>

namespace visor::vm {

namespace {

using debug::Argument;

void describe(Argument& argument, const launch::Buffer& buffer) {
    argument.address = buffer.address;
    argument.bytes = buffer.bytes;
    argument.value =
        buffer.address == 0 ? "null" : fmt::format("{:#x}, {} bytes", buffer.address, buffer.bytes);
}

void describe(Argument& argument, const machine::Image& image) {
    argument.address = image.address;
    argument.bytes = image.bytes();
    argument.value = fmt::format("an image of {} {} at {:#x}", fmt::join(image.size, "x"),
                                 machine::name_of(image.format), image.address);
    if (image.layers > 1)
        argument.value += fmt::format(", {} layers", image.layers);
}

void describe(Argument& argument, const machine::Sampler& /*sampler*/) {
    argument.value = "a sampler";
}

// The elements of a value, else its bytes.
std::string text_of(std::span<const std::byte> bytes, const Parameter* parameter) {
    constexpr size_t most = 16;
    std::vector<std::string> parts;
    const size_t size =
        parameter != nullptr && parameter->element_known ? isa::facts(parameter->element).bytes : 0;
    if (size != 0)
        for (size_t at = 0; at + size <= bytes.size() && parts.size() < most; at += size)
            parts.push_back(debug::text_of(debug::read_number(bytes.data() + at, parameter->element)));
    else
        for (size_t at = 0; at < std::min(bytes.size(), most); ++at)
            parts.push_back(fmt::format("{:02x}", static_cast<unsigned>(bytes[at])));
    const bool all = size != 0 ? parts.size() * size >= bytes.size() : parts.size() == bytes.size();
    return fmt::format("{}{}{}", size != 0 ? "" : "bytes ", fmt::join(parts, " "), all ? "" : " ...");
}

void describe(Argument& argument, const launch::ArgumentValue& value, const Parameter* parameter) {
    if (const auto* const bytes = std::get_if<std::vector<std::byte>>(&value))
        argument.value = text_of(*bytes, parameter);
    else if (const auto* const local = std::get_if<launch::LocalBytes>(&value))
        argument.value = fmt::format("{} bytes of shared local memory", local->bytes);
    else if (const auto* const buffer = std::get_if<launch::Buffer>(&value))
        describe(argument, *buffer);
    else if (const auto* const image = std::get_if<machine::Image>(&value))
        describe(argument, *image);
    else if (const auto* const sampler = std::get_if<machine::Sampler>(&value))
        describe(argument, *sampler);
    else
        argument.value = "not given";
}

// Where the payloads of launches have the arguments of kernels.
std::vector<debug::PassedArgument> passed_arguments(const Program& program) {
    std::vector<debug::PassedArgument> out;
    for (const LoadedKernel& kernel : program.kernels) {
        if (!kernel.signature)
            continue;
        const auto& arguments = kernel.signature->arguments;
        for (const launch::PayloadItem& item : kernel.signature->payload) {
            const bool is_value = item.kind == launch::PayloadKind::argument_value ||
                                  item.kind == launch::PayloadKind::argument_pointer;
            if (is_value && item.argument >= 0 && static_cast<size_t>(item.argument) < arguments.size())
                out.push_back({kernel.facts.name, arguments[static_cast<size_t>(item.argument)].name,
                               item.offset, item.bytes, item.source_offset});
        }
    }
    return out;
}

} // namespace

std::vector<Argument> arguments_of(const KernelFacts& kernel, std::span<const launch::ArgumentValue> values) {
    std::vector<Argument> out;
    for (size_t k = 0; k < values.size(); ++k) {
        const Parameter* const parameter = k < kernel.parameters.size() ? &kernel.parameters[k] : nullptr;
        Argument argument;
        argument.name =
            parameter == nullptr || parameter->name.empty() ? fmt::format("argument {}", k) : parameter->name;
        argument.type = parameter == nullptr ? "" : parameter->type_name;
        describe(argument, values[k], parameter);
        out.push_back(std::move(argument));
    }
    return out;
}

std::vector<Argument> arguments_of(std::span<const launch::HandInput> inputs) {
    std::vector<Argument> out;
    for (const launch::HandInput& input : inputs) {
        Argument argument{.name = input.name};
        if (const auto* const bytes = std::get_if<launch::InputBytes>(&input.value))
            argument.value = text_of(bytes->content, nullptr);
        else if (const auto* const buffer = std::get_if<launch::Buffer>(&input.value))
            describe(argument, *buffer);
        else if (const auto* const image = std::get_if<machine::Image>(&input.value))
            describe(argument, *image);
        else if (const auto* const sampler = std::get_if<machine::Sampler>(&input.value))
            describe(argument, *sampler);
        else
            argument.value = "its own of each lane or thread";
        out.push_back(std::move(argument));
    }
    return out;
}

std::expected<void, Error> put_under(debug::Session& session, const Program& program, std::string_view kernel,
                                     debug::LaunchFacts facts, RunSettings& settings,
                                     std::function<void()> told) {
    const auto sources = sources_of(program, kernel);
    if (!sources)
        return std::unexpected(sources.error());
    std::vector<debug::Source> known;
    for (const KernelSource& source : *sources)
        known.push_back({source.function, source.name, source.text});
    session.prepare(known, std::move(facts), settings.watcher, std::move(told));
    session.name_variables(
        std::make_shared<const debug::SourceVariables>(program.debug_information, passed_arguments(program)));
    settings.watcher = &session;
    settings.engine = EngineKind::interpreter;
    settings.options.control = &session;
    settings.options.workers = 1;
    settings.options.timeout = 0; // time passes while it is stopped
    settings.watch_filter.reset();
    return {};
}

} // namespace visor::vm
