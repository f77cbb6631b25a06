#include "cli/bindings.h"

#include "cli/array_file.h"
#include "cli/file.h"
#include "diagnostic/diagnostic.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace visor::cli {

namespace {

using Problem = std::expected<void, Failure>;
using InputValue = decltype(launch::HandInput::value);

// Gives each parameter's VALUE its place.
class Binder {
public:
    Binder(vm::Context& context, const vm::KernelFacts& kernel, std::span<const BoundArray> named)
        : context_(context), kernel_(kernel), named_(named) {
        bindings_.values.resize(kernel.hand_written ? 0 : kernel.parameters.size());
    }

    Problem bind_parameter(size_t index, const ArgumentText& argument);
    Problem bind_surface(const SurfaceText& surface);
    Problem bind_alias(size_t index, const ArgumentText& argument);

    [[nodiscard]] Bindings take() { return std::move(bindings_); }

private:
    vm::Context& context_;
    const vm::KernelFacts& kernel_;
    std::span<const BoundArray> named_;
    Bindings bindings_;

    [[nodiscard]] std::unexpected<Failure> wrong(size_t index, std::string_view why) const {
        return invalid(fmt::format("{}{} {}", parameter_text(index, kernel_.parameters[index]),
                                   why.starts_with('`') ? ":" : "", why));
    }
    // "argument 0 `y` (float*) takes an array ...; given `5`"
    [[nodiscard]] std::unexpected<Failure> mismatch(size_t index, std::string_view takes,
                                                    const ArgumentText& argument) const {
        return wrong(index, fmt::format("takes {}; given `{}`", takes, argument.text));
    }
    [[nodiscard]] std::expected<std::vector<std::byte>, Failure> file_bytes(size_t index,
                                                                            const FileBytes& file) const;
    [[nodiscard]] std::expected<launch::ArgumentValue, Failure> by_value(size_t index,
                                                                         const ArgumentText& argument) const;
    std::expected<launch::ArgumentValue, Failure> pointer(size_t index, const ArgumentText& argument);
    [[nodiscard]] std::expected<launch::ArgumentValue, Failure> local(size_t index,
                                                                      const ArgumentText& argument) const;
    [[nodiscard]] std::expected<InputValue, Failure> variable(size_t index,
                                                              const ArgumentText& argument) const;
    std::expected<InputValue, Failure> input(size_t index, const ArgumentText& argument);
    std::expected<launch::Buffer, Failure> array(const std::string& label, const Value& value,
                                                 std::optional<Element> hint, const std::string& name,
                                                 std::optional<size_t> parameter);
    std::expected<launch::Buffer, Failure> parameter_array(size_t index, const Value& value);
    void warn_of_type(size_t index);
};

bool holds_address(const vm::Parameter& parameter) {
    return parameter.kind == vm::ParameterKind::variable &&
           (parameter.element == isa::Type::uq || parameter.element == isa::Type::q);
}

bool takes_array(const vm::Parameter& parameter) {
    return parameter.kind == vm::ParameterKind::buffer || parameter.kind == vm::ParameterKind::surface ||
           holds_address(parameter);
}

std::expected<std::vector<std::byte>, Failure> Binder::file_bytes(size_t index, const FileBytes& file) const {
    const auto content = read_file(file.path);
    if (!content)
        return invalid(content.error());
    const vm::Parameter& parameter = kernel_.parameters[index];
    if (content->size() != parameter.bytes)
        return wrong(index,
                     fmt::format("has {} bytes, `{}` has {}", parameter.bytes, file.path, content->size()));
    const auto bytes = std::as_bytes(std::span(*content));
    return std::vector<std::byte>(bytes.begin(), bytes.end());
}

// An array's content, whatever its value is: a generator is run right into device memory.
struct Content {
    ArrayFacts facts;
    std::vector<std::byte> bytes; // not of a generator
};

std::expected<Content, Failure> content_of(const Value& value, std::optional<Element> hint) {
    if (const auto* generator = std::get_if<Generator>(&value))
        return Content{{generator->element, generator->shape}, {}};
    if (const auto* array = std::get_if<Array>(&value))
        return Content{{array->element, array->shape}, array->bytes};
    auto read = read_array(std::get<ArrayFile>(value));
    if (!read)
        return invalid(read.error());
    Content content{{read->array.element, std::move(read->array.shape)}, std::move(read->array.bytes)};
    if (!read->typed && hint)
        if (auto shape = reshaped(Element::u8, content.facts.shape, *hint))
            content.facts = {*hint, std::move(*shape)};
    return content;
}

std::expected<launch::Buffer, Failure> Binder::array(const std::string& label, const Value& value,
                                                     std::optional<Element> hint, const std::string& name,
                                                     std::optional<size_t> parameter) {
    BoundArray bound;
    if (const auto* shared = std::get_if<Named>(&value)) {
        bound =
            *std::ranges::find(named_, shared->name, &BoundArray::name); // the launch file's reader knows it
    } else {
        auto made = make_array(context_, label, value, hint);
        if (!made)
            return std::unexpected(made.error());
        bound = std::move(*made);
    }
    bound.name = name;
    bound.parameter = parameter;
    const launch::Buffer buffer = bound.buffer;
    bindings_.arrays.push_back(std::move(bound));
    return buffer;
}

std::expected<launch::Buffer, Failure> Binder::parameter_array(size_t index, const Value& value) {
    const vm::Parameter& parameter = kernel_.parameters[index];
    const bool pointer = parameter.kind == vm::ParameterKind::buffer;
    const auto hint = pointer && parameter.element_known ? element_of(parameter.element) : std::nullopt;
    auto buffer = array(fmt::format("{} {}{}", kernel_.hand_written ? "input" : "argument", index,
                                    parameter.name.empty() ? "" : fmt::format(" `{}`", parameter.name)),
                        value, hint, parameter.name, index);
    if (buffer)
        warn_of_type(index);
    return buffer;
}

// Bytes are everybody's; an array of other numbers than the pointer's is legal and seldom meant.
void Binder::warn_of_type(size_t index) {
    const vm::Parameter& parameter = kernel_.parameters[index];
    const Element given = bindings_.arrays.back().facts.element;
    const auto wanted = parameter.element_known ? element_of(parameter.element) : std::nullopt;
    if (parameter.kind != vm::ParameterKind::buffer || !wanted || alike(given, *wanted) ||
        size_of(given) == 1)
        return;
    bindings_.warnings.push_back(fmt::format("visor: warning: {} points to {}, given an array of {}",
                                             parameter_text(index, parameter), name_of(*wanted),
                                             name_of(given)));
}

std::expected<launch::ArgumentValue, Failure> Binder::by_value(size_t index,
                                                               const ArgumentText& argument) const {
    const vm::Parameter& parameter = kernel_.parameters[index];
    if (const auto* file = std::get_if<FileBytes>(&argument.value))
        return file_bytes(index, *file);
    const auto* numbers = std::get_if<Numbers>(&argument.value);
    if (numbers == nullptr)
        return mismatch(index, parameter.elements > 1 ? "numbers" : "a number", argument);
    auto bytes = value_bytes(parameter, *numbers);
    if (!bytes)
        return wrong(index, bytes.error());
    return std::move(*bytes);
}

std::expected<launch::ArgumentValue, Failure> Binder::pointer(size_t index, const ArgumentText& argument) {
    if (std::holds_alternative<Null>(argument.value))
        return launch::Buffer{};
    if (!is_array(argument.value))
        return mismatch(index, "an array, such as zeros:f32:64 or @x.npy, or null, for it is a pointer",
                        argument);
    return parameter_array(index, argument.value);
}

std::expected<launch::ArgumentValue, Failure> Binder::local(size_t index,
                                                            const ArgumentText& argument) const {
    const auto* memory = std::get_if<LocalMemory>(&argument.value);
    if (memory == nullptr || memory->bytes == 0)
        return mismatch(index, "local:BYTES, for it points to local memory", argument);
    return launch::LocalBytes{memory->bytes};
}

std::expected<InputValue, Failure> Binder::variable(size_t index, const ArgumentText& argument) const {
    const vm::Parameter& parameter = kernel_.parameters[index];
    const Value& value = argument.value;
    if (const auto* filler = std::get_if<Filler>(&value))
        return launch::InputFiller{filler->filler};
    if (std::holds_alternative<Null>(value))
        return launch::InputBytes{std::vector<std::byte>(parameter.bytes)};
    if (const auto* file = std::get_if<FileBytes>(&value)) {
        auto bytes = file_bytes(index, *file);
        if (!bytes)
            return std::unexpected(bytes.error());
        return launch::InputBytes{std::move(*bytes)};
    }
    const auto* numbers = std::get_if<Numbers>(&value);
    if (numbers == nullptr)
        return mismatch(index,
                        holds_address(parameter)
                            ? "numbers, bytes:@file, or an array whose address it holds"
                            : "numbers, bytes:@file, or one of lid.x lid.y lid.z tid lane",
                        argument);
    auto bytes = variable_bytes(parameter, *numbers);
    if (!bytes)
        return wrong(index, bytes.error());
    return launch::InputBytes{std::move(*bytes)};
}

std::expected<InputValue, Failure> Binder::input(size_t index, const ArgumentText& argument) {
    const vm::Parameter& parameter = kernel_.parameters[index];
    const bool surface = parameter.kind == vm::ParameterKind::surface;
    if (is_array(argument.value) && (surface || holds_address(parameter)))
        return parameter_array(index, argument.value);
    if (surface && std::holds_alternative<Null>(argument.value))
        return launch::Buffer{}; // of no bytes: reads give zero, writes are dropped
    if (surface)
        return mismatch(index, "an array, or null, for it is a surface", argument);
    return variable(index, argument);
}

Problem Binder::bind_parameter(size_t index, const ArgumentText& argument) {
    const vm::Parameter& parameter = kernel_.parameters[index];
    if (const auto* later = std::get_if<Later>(&argument.value))
        return not_yet(later->what);
    if (kernel_.hand_written) {
        if (parameter.kind == vm::ParameterKind::state_sampler)
            return not_yet(fmt::format("{}, a sampler,", parameter_text(index, parameter)));
        auto value = input(index, argument);
        if (!value)
            return std::unexpected(value.error());
        bindings_.inputs.push_back({parameter.name, std::move(*value)});
        return {};
    }
    if (parameter.kind == vm::ParameterKind::image || parameter.kind == vm::ParameterKind::sampler)
        return not_yet(fmt::format("{}, an image or sampler,", parameter_text(index, parameter)));
    auto value = parameter.kind == vm::ParameterKind::value    ? by_value(index, argument)
                 : parameter.kind == vm::ParameterKind::buffer ? pointer(index, argument)
                                                               : local(index, argument);
    if (!value)
        return std::unexpected(value.error());
    bindings_.values[index] = std::move(*value);
    return {};
}

Problem Binder::bind_surface(const SurfaceText& surface) {
    if (!is_array(surface.value))
        return invalid(fmt::format("--bti {} takes an array; given `{}`", surface.index, surface.text));
    const auto buffer = array(fmt::format("surface {}", surface.index), surface.value, std::nullopt,
                              fmt::format("bti{}", surface.index), std::nullopt);
    if (!buffer)
        return std::unexpected(buffer.error());
    bindings_.surfaces.push_back({surface.index, *buffer});
    return {};
}

Problem Binder::bind_alias(size_t index, const ArgumentText& argument) {
    const vm::Parameter& parameter = kernel_.parameters[index];
    const auto& target = std::get<SameAs>(argument.value).name;
    const auto found = bindings_.find(target);
    if (!found) {
        const auto other = find_parameter(kernel_, target);
        return wrong(index, other
                                ? fmt::format("cannot be the same array as `{}`, which is given none", target)
                                : fmt::format("cannot be the same array as `{}`: {}", target, other.error()));
    }
    BoundArray same = **found;
    same.name = parameter.name;
    same.parameter = index;
    if (kernel_.hand_written)
        bindings_.inputs.push_back({parameter.name, same.buffer});
    else
        bindings_.values[index] = same.buffer;
    bindings_.arrays.push_back(std::move(same));
    return {};
}

} // namespace

std::expected<const BoundArray*, std::string> Bindings::find(std::string_view target) const {
    const auto index = parse_unsigned(target);
    std::vector<std::string_view> names;
    for (const BoundArray& array : arrays) {
        if (array.name == target || (index && array.parameter == *index))
            return &array;
        names.emplace_back(array.name);
    }
    return std::unexpected(fmt::format("no array is called `{}`{}; arrays: {}", target,
                                       did_you_mean(target, names),
                                       names.empty() ? "none" : fmt::format("{}", fmt::join(names, " "))));
}

std::expected<BoundArray, Failure> make_array(vm::Context& context, const std::string& label,
                                              const Value& value, std::optional<Element> hint) {
    auto content = content_of(value, hint);
    if (!content)
        return std::unexpected(content.error());
    const auto* generator = std::get_if<Generator>(&value);
    const auto size = bytes_of(content->facts.element, content->facts.shape);
    if (!size)
        return invalid(size.error());
    const auto buffer = context.allocate(*size, label);
    if (!buffer)
        return std::unexpected(failure(buffer.error()));
    const std::span<std::byte> memory = context.bytes_of(*buffer);
    if (generator == nullptr)
        std::memcpy(memory.data(), content->bytes.data(), std::min(memory.size(), content->bytes.size()));
    else if (generator->kind != Generator::Kind::zeros) // which new memory is already
        generate(*generator, memory);
    return BoundArray{.name = {}, .parameter = {}, .buffer = *buffer, .facts = std::move(content->facts)};
}

std::expected<Array, Failure> array_content(const Value& value, std::optional<Element> hint) {
    auto content = content_of(value, hint);
    if (!content)
        return std::unexpected(content.error());
    Array array{content->facts.element, std::move(content->facts.shape), std::move(content->bytes)};
    if (const auto* generator = std::get_if<Generator>(&value)) {
        constexpr uint64_t most = uint64_t{1} << 36U;
        const uint64_t size = bytes_of(array.element, array.shape).value_or(UINT64_MAX);
        if (size > most)
            return invalid(fmt::format("{} bytes are more than fit", size));
        array.bytes.resize(size);
        generate(*generator, array.bytes);
    }
    return array;
}

std::expected<Bindings, Failure> bind(vm::Context& context, const vm::KernelFacts& kernel,
                                      std::span<const ArgumentText> arguments,
                                      std::span<const SurfaceText> surfaces,
                                      std::span<const BoundArray> named) {
    const auto matched = match_arguments(kernel, arguments);
    if (!matched)
        return std::unexpected(matched.error());
    Binder binder(context, kernel, named);
    const auto is_given = [&](size_t i) { return (*matched)[i] != nullptr; };
    const auto is_alias = [&](size_t i) {
        return is_given(i) && std::holds_alternative<SameAs>((*matched)[i]->value) &&
               takes_array(kernel.parameters[i]);
    };
    for (size_t i = 0; i < matched->size(); ++i)
        if (is_given(i) && !is_alias(i))
            if (auto done = binder.bind_parameter(i, *(*matched)[i]); !done)
                return std::unexpected(done.error());
    for (const SurfaceText& surface : surfaces)
        if (auto done = binder.bind_surface(surface); !done)
            return std::unexpected(done.error());
    for (size_t i = 0; i < matched->size(); ++i) // the arrays that these name are all there now
        if (is_alias(i))
            if (auto done = binder.bind_alias(i, *(*matched)[i]); !done)
                return std::unexpected(done.error());
    return binder.take();
}

} // namespace visor::cli
