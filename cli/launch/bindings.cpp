#include "cli/launch/bindings.h"

#include "cli/value/array_file.h"
#include "diagnostic/diagnostic.h"
#include "file/file.h"
#include "launch/arguments.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>

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
    Problem bind_state(const StateText& state);
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
    std::expected<launch::ArgumentValue, Failure> argument_image(size_t index, const ArgumentText& argument);
    [[nodiscard]] std::expected<launch::ArgumentValue, Failure>
    argument_sampler(size_t index, const ArgumentText& argument) const;
    std::expected<InputValue, Failure> input(size_t index, const ArgumentText& argument);
    std::expected<InputValue, Failure> input_surface(size_t index, const ArgumentText& argument);
    std::expected<const BoundArray*, Failure> array(const std::string& label, const Value& value,
                                                    std::optional<Element> hint, const std::string& name,
                                                    std::optional<size_t> parameter);
    std::expected<const BoundArray*, Failure> parameter_array(size_t index, const Value& value);
    [[nodiscard]] std::expected<machine::Image, Failure> image(size_t index, const BoundArray& bound) const;
    [[nodiscard]] bool names_image(const Value& value) const;
    [[nodiscard]] std::optional<Failure> check_access(size_t index, const BoundArray& bound) const;
    void warn_of_type(size_t index);
};

bool holds_address(const vm::Parameter& parameter) {
    return parameter.kind == vm::ParameterKind::variable &&
           (parameter.element == isa::Type::uq || parameter.element == isa::Type::q);
}

bool takes_array(const vm::Parameter& parameter) {
    return parameter.kind == vm::ParameterKind::buffer || parameter.kind == vm::ParameterKind::image ||
           parameter.kind == vm::ParameterKind::surface || holds_address(parameter);
}

std::expected<std::vector<std::byte>, Failure> Binder::file_bytes(size_t index, const FileBytes& file) const {
    const auto content = read_file(file.path);
    if (!content)
        return invalid(content.error());
    const vm::Parameter& parameter = kernel_.parameters[index];
    // What the compiler removed has no size.
    if (content->size() != parameter.bytes &&
        (parameter.bytes != 0 || parameter.kind != vm::ParameterKind::value))
        return wrong(index,
                     fmt::format("has {} bytes, `{}` has {}", parameter.bytes, file.path, content->size()));
    const auto bytes = std::as_bytes(std::span(*content));
    return std::vector<std::byte>(bytes.begin(), bytes.end());
}

// An array's content, whatever its value is: a generator is run right into device memory, and the bytes of
// zeros are left out.
std::expected<HostArray, Failure> content_of(const Value& value, std::optional<Element> hint,
                                             std::optional<machine::ImageFormat> format) {
    if (const auto* generator = std::get_if<Generator>(&value))
        return HostArray{{generator->element, generator->shape}, {}};
    if (const auto* array = std::get_if<Array>(&value))
        return HostArray{{array->element, array->shape}, array->bytes};
    if (const auto* image = std::get_if<ImageValue>(&value)) {
        ImageValue wanted = *image;
        if (!wanted.format)
            wanted.format = format;
        auto content = image_content(wanted);
        if (!content)
            return invalid(content.error());
        return HostArray{array_facts(content->facts), std::move(content->bytes)};
    }
    auto read = read_array(std::get<ArrayFile>(value));
    if (!read)
        return invalid(read.error());
    HostArray content{{read->array.element, std::move(read->array.shape)}, std::move(read->array.bytes)};
    if (!read->typed && hint)
        if (auto shape = reshaped(Element::u8, content.facts.shape, *hint))
            content.facts = {*hint, std::move(*shape)};
    return content;
}

// The launch file's reader knows the array. Error: a sentence part.
std::expected<BoundArray, std::string> part_of(BoundArray array, const Named& part) {
    if (!part.is_part())
        return array;
    if (array.facts.image)
        return std::unexpected(fmt::format("`{}` is an image, which has no parts", part.name));
    launch::Buffer& buffer = array.buffer;
    if (part.offset > buffer.bytes || part.bytes.value_or(0) > buffer.bytes - part.offset)
        return std::unexpected(fmt::format("`{}` has {} bytes, fewer than the part that begins at {}{}",
                                           part.name, buffer.bytes, part.offset,
                                           part.bytes ? fmt::format(" and has {}", *part.bytes) : ""));
    const uint64_t rest = buffer.bytes - part.offset;
    buffer = {.address = buffer.address + part.offset,
              .bytes = part.bytes.value_or(rest),
              .before = part.bytes ? 0 : part.offset};
    const uint64_t size = size_of(array.facts.element);
    if (buffer.bytes % size != 0)
        array.facts.element = Element::u8;
    array.facts.shape = {buffer.bytes / size_of(array.facts.element)};
    return array;
}

std::expected<const BoundArray*, Failure> Binder::array(const std::string& label, const Value& value,
                                                        std::optional<Element> hint, const std::string& name,
                                                        std::optional<size_t> parameter) {
    BoundArray bound;
    if (const auto* shared = std::get_if<Named>(&value)) {
        auto found = part_of(*std::ranges::find(named_, shared->name, &BoundArray::name), *shared);
        if (!found)
            return invalid(fmt::format("{}: {}", label, found.error()));
        bound = std::move(*found);
    } else {
        auto made = make_array(context_, label, value, hint);
        if (!made)
            return std::unexpected(made.error());
        bound = std::move(*made);
    }
    bound.name = name;
    bound.parameter = parameter;
    bindings_.arrays.push_back(std::move(bound));
    return &bindings_.arrays.back();
}

std::expected<const BoundArray*, Failure> Binder::parameter_array(size_t index, const Value& value) {
    const vm::Parameter& parameter = kernel_.parameters[index];
    const bool pointer = parameter.kind == vm::ParameterKind::buffer;
    const auto hint = pointer && parameter.element_known ? element_of(parameter.element) : std::nullopt;
    auto bound = array(fmt::format("{} {}{}", kernel_.hand_written ? "input" : "argument", index,
                                   parameter.name.empty() ? "" : fmt::format(" `{}`", parameter.name)),
                       value, hint, parameter.name, index);
    if (bound)
        warn_of_type(index);
    return bound;
}

// The image as the parameter sees it: its type decides what the sizes mean.
std::expected<machine::Image, Failure> Binder::image(size_t index, const BoundArray& bound) const {
    const auto shape = launch::shape_of(kernel_.parameters[index].type_name);
    auto made = image_of(*bound.facts.image, shape);
    if (!made)
        return wrong(index, made.error());
    made->address = bound.buffer.address;
    return *made;
}

// A name may stand for an array or an image.
bool Binder::names_image(const Value& value) const {
    const auto* shared = std::get_if<Named>(&value);
    return shared == nullptr ||
           std::ranges::find(named_, shared->name, &BoundArray::name)->facts.image.has_value();
}

// An image that is read only and written only at once: OpenCL leaves open what is read then.
std::optional<Failure> Binder::check_access(size_t index, const BoundArray& bound) const {
    const vm::Parameter& parameter = kernel_.parameters[index];
    for (const BoundArray& other : bindings_.arrays) {
        if (other.buffer.address != bound.buffer.address || !other.parameter || *other.parameter == index)
            continue;
        const vm::Parameter& first = kernel_.parameters[*other.parameter];
        if (first.access != parameter.access &&
            (first.access == "write_only" || parameter.access == "write_only"))
            return wrong(index,
                         fmt::format("is the same image as `{}`: one is {}, the other {}; OpenCL wants "
                                     "read_write for an image that a kernel reads and writes",
                                     first.name, parameter.access, first.access))
                .error();
    }
    return std::nullopt;
}

std::expected<launch::ArgumentValue, Failure> Binder::argument_image(size_t index,
                                                                     const ArgumentText& argument) {
    const vm::Parameter& parameter = kernel_.parameters[index];
    if (!is_image(argument.value) || !names_image(argument.value))
        return mismatch(index, "an image, such as @x.png or image:rgba8:64x64", argument);
    const auto bound = parameter_array(index, argument.value);
    if (!bound)
        return std::unexpected(bound.error());
    using machine::ChannelOrder;
    const machine::ImageFormat format = (*bound)->facts.image->format;
    const bool srgb = format.order == ChannelOrder::srgba || format.order == ChannelOrder::sbgra;
    if (srgb && parameter.access != "read_only")
        return wrong(index, fmt::format("is {}: OpenCL kernels only read sRGB images, given `{}`",
                                        parameter.access, argument.text));
    if (auto refused = check_access(index, **bound))
        return std::unexpected(std::move(*refused));
    auto made = image(index, **bound);
    if (!made)
        return std::unexpected(made.error());
    return *made;
}

std::expected<launch::ArgumentValue, Failure> Binder::argument_sampler(size_t index,
                                                                       const ArgumentText& argument) const {
    const auto* sampler = std::get_if<machine::Sampler>(&argument.value);
    if (sampler == nullptr)
        return mismatch(index, "a sampler, such as sampler:linear,clamp_edge,normalized", argument);
    return *sampler;
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
    const bool image = is_image(argument.value) && names_image(argument.value);
    if (!is_array(argument.value) || image)
        return mismatch(index, "an array, such as zeros:f32:64 or @x.npy, or null, for it is a pointer",
                        argument);
    const auto bound = parameter_array(index, argument.value);
    if (!bound)
        return std::unexpected(bound.error());
    return (*bound)->buffer;
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

std::expected<InputValue, Failure> Binder::input_surface(size_t index, const ArgumentText& argument) {
    if (std::holds_alternative<Null>(argument.value))
        return launch::Buffer{}; // of no bytes: reads give zero, writes are dropped
    if (!is_array(argument.value) && !is_image(argument.value))
        return mismatch(index, "an array, an image, or null, for it is a surface", argument);
    const auto bound = parameter_array(index, argument.value);
    if (!bound)
        return std::unexpected(bound.error());
    if (!(*bound)->facts.image)
        return (*bound)->buffer;
    auto made = image(index, **bound);
    if (!made)
        return std::unexpected(made.error());
    return *made;
}

std::expected<InputValue, Failure> Binder::input(size_t index, const ArgumentText& argument) {
    const vm::Parameter& parameter = kernel_.parameters[index];
    if (parameter.kind == vm::ParameterKind::state_sampler) {
        const auto* sampler = std::get_if<machine::Sampler>(&argument.value);
        if (sampler == nullptr)
            return mismatch(index, "a sampler, such as sampler:nearest,clamp_edge", argument);
        return *sampler;
    }
    if (parameter.kind == vm::ParameterKind::surface)
        return input_surface(index, argument);
    const bool image = is_image(argument.value) && names_image(argument.value);
    if (!is_array(argument.value) || image || !holds_address(parameter))
        return variable(index, argument);
    const auto bound = parameter_array(index, argument.value);
    if (!bound)
        return std::unexpected(bound.error());
    return (*bound)->buffer;
}

Problem Binder::bind_parameter(size_t index, const ArgumentText& argument) {
    const vm::Parameter& parameter = kernel_.parameters[index];
    if (kernel_.hand_written) {
        auto value = input(index, argument);
        if (!value)
            return std::unexpected(value.error());
        bindings_.inputs.push_back({parameter.name, std::move(*value)});
        return {};
    }
    auto value = parameter.kind == vm::ParameterKind::value     ? by_value(index, argument)
                 : parameter.kind == vm::ParameterKind::buffer  ? pointer(index, argument)
                 : parameter.kind == vm::ParameterKind::image   ? argument_image(index, argument)
                 : parameter.kind == vm::ParameterKind::sampler ? argument_sampler(index, argument)
                                                                : local(index, argument);
    if (!value)
        return std::unexpected(value.error());
    bindings_.values[index] = std::move(*value);
    return {};
}

Problem Binder::bind_state(const StateText& state) {
    if (const auto* sampler = std::get_if<machine::Sampler>(&state.value)) {
        bindings_.states.push_back({state.index, *sampler});
        return {};
    }
    if (!is_array(state.value) && !is_image(state.value))
        return invalid(
            fmt::format("--bti {} takes an array or an image; given `{}`", state.index, state.text));
    const auto bound = array(fmt::format("surface {}", state.index), state.value, std::nullopt,
                             fmt::format("bti{}", state.index), std::nullopt);
    if (!bound)
        return std::unexpected(bound.error());
    if (!(*bound)->facts.image) {
        bindings_.states.push_back({state.index, (*bound)->buffer});
        return {};
    }
    auto made = image_of(*(*bound)->facts.image, std::nullopt);
    if (!made)
        return invalid(made.error());
    made->address = (*bound)->buffer.address;
    bindings_.states.push_back({state.index, *made});
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
    const bool is_surface = parameter.kind == vm::ParameterKind::surface;
    if (same.facts.image.has_value() != (parameter.kind == vm::ParameterKind::image) && !is_surface)
        return mismatch(index, same.facts.image ? "an array" : "an image", argument);
    std::optional<machine::Image> seen;
    if (same.facts.image) {
        if (auto refused = check_access(index, same))
            return std::unexpected(std::move(*refused));
        auto made = image(index, same);
        if (!made)
            return std::unexpected(made.error());
        seen = *made;
    }
    if (kernel_.hand_written)
        bindings_.inputs.push_back({parameter.name, seen ? InputValue(*seen) : InputValue(same.buffer)});
    else
        bindings_.values[index] = seen ? launch::ArgumentValue(*seen) : launch::ArgumentValue(same.buffer);
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
    auto content = content_of(value, hint, std::nullopt);
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
    if (!content->bytes.empty())
        std::memcpy(memory.data(), content->bytes.data(), std::min(memory.size(), content->bytes.size()));
    else if (generator != nullptr && generator->kind != Generator::Kind::zeros) // which new memory is already
        generate(*generator, memory);
    return BoundArray{.name = {}, .parameter = {}, .buffer = *buffer, .facts = std::move(content->facts)};
}

std::expected<HostArray, Failure> array_content(const Value& value, std::optional<Element> hint,
                                                std::optional<machine::ImageFormat> format) {
    auto content = content_of(value, hint, format);
    if (!content || !content->bytes.empty())
        return content;
    constexpr uint64_t most = uint64_t{1} << 36U;
    const uint64_t size = bytes_of(content->facts.element, content->facts.shape).value_or(UINT64_MAX);
    if (size > most)
        return invalid(fmt::format("{} bytes are more than fit", size));
    content->bytes.resize(size);
    if (const auto* generator = std::get_if<Generator>(&value))
        generate(*generator, content->bytes);
    return content;
}

std::expected<Bindings, Failure> bind(vm::Context& context, const vm::KernelFacts& kernel,
                                      std::span<const ArgumentText> arguments,
                                      std::span<const StateText> states, std::span<const BoundArray> named) {
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
    for (const StateText& state : states)
        if (auto done = binder.bind_state(state); !done)
            return std::unexpected(done.error());
    for (size_t i = 0; i < matched->size(); ++i) // the arrays that these name are all there now
        if (is_alias(i))
            if (auto done = binder.bind_alias(i, *(*matched)[i]); !done)
                return std::unexpected(done.error());
    return binder.take();
}

} // namespace visor::cli
