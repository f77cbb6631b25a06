#include "capi/binding.h"

#include "vm/match.h"

#include <algorithm>
#include <optional>

namespace visor::capi {

namespace {

constexpr uint32_t last_surface_index = 239; // the hardware's limit of user surfaces
constexpr uint32_t last_sampler_index = 15;

std::string argument_text(size_t index) {
    return "argument " + std::to_string(index) + " of the call";
}

class Binder {
public:
    explicit Binder(const KernelObject& kernel) : kernel_(kernel), context_(kernel.program->context.get()) {}

    Binding bind(std::span<const visor_argument> arguments, const visor_shape& shape) {
        set_shape(shape);
        match(arguments);
        out_.held.reserve(arguments.size());
        if (kernel_.facts.hand_written)
            out_.inputs.reserve(matched_.size());
        else
            out_.values.reserve(matched_.size());
        for (size_t parameter = 0; parameter < matched_.size(); ++parameter)
            if (matched_[parameter] != nullptr)
                set(kernel_.facts.parameters[parameter], *matched_[parameter]);
        for (size_t i = 0; i < arguments.size(); ++i)
            if (arguments[i].target >= VISOR_TARGET_BTI)
                set_state(arguments[i], i);
        return std::move(out_);
    }

private:
    // ---- sizes ----

    void set_shape(const visor_shape& shape) {
        if (shape.dimensions > 3)
            refuse(VISOR_ERROR_ARGUMENT, "shape: `dimensions` is more than 3");
        const bool in_threads = shape.dimensions == 0;
        const bool has_groups = shape.hw_threads != 0 || std::ranges::any_of(shape.groups, std::identity());
        launch::Geometry items;
        items.dimensions = std::max(shape.dimensions, 1U);
        for (uint32_t d = 0; d < shape.dimensions; ++d) {
            items.global[d] = shape.global[d];
            items.local[d] = shape.local[d];
            items.offset[d] = shape.offset[d];
        }
        out_.first_group = shape.first_group;
        out_.group_count = shape.group_count == 0 ? UINT64_MAX : shape.group_count;
        if (!kernel_.facts.hand_written) {
            if (in_threads || has_groups || shape.simd != 0 || shape.slm_bytes != 0)
                refuse(VISOR_ERROR_ARGUMENT, "shape: `groups`, `hw_threads`, `simd` and `slm_bytes` are for "
                                             "hand-written vISA; this kernel was compiled, so give "
                                             "`dimensions` and `global`");
            out_.geometry = items;
            return;
        }
        if (!in_threads && has_groups)
            refuse(VISOR_ERROR_ARGUMENT, "shape: the size is given twice, in work-items and in threads");
        const uint32_t simd = shape.simd == 0 ? kernel_.facts.simd : shape.simd;
        if (simd != 8 && simd != 16 && simd != 32)
            refuse(VISOR_ERROR_ARGUMENT, shape.simd == 0
                                             ? "the kernel has no SimdSize attribute: `simd` is 8, 16 or 32"
                                             : "shape: `simd` is 8, 16 or 32");
        launch::HandGeometry& out = out_.hand_geometry;
        out.simd = simd;
        out.slm_bytes = shape.slm_bytes == 0 ? kernel_.facts.slm_bytes : shape.slm_bytes;
        out.in_threads = in_threads;
        out.items = items;
        std::ranges::transform(shape.groups, out.groups.begin(),
                               [](uint32_t groups) { return std::max(groups, 1U); });
        out.threads = std::max(shape.hw_threads, 1U);
    }

    // ---- matching with parameters ----

    void match(std::span<const visor_argument> arguments) {
        matched_.reserve(kernel_.facts.parameters.size());
        if (is_plain(arguments)) {
            for (const visor_argument& argument : arguments)
                matched_.push_back(&argument);
            return;
        }
        std::vector<vm::Given> given;
        std::vector<const visor_argument*> sources;
        std::vector<std::string> numbers; // that the views above look at
        numbers.reserve(arguments.size());
        for (const visor_argument& argument : arguments) {
            static_cast<void>(
                number_in(argument.target, VISOR_TARGET_SAMPLER_INDEX, "an argument's `target`"));
            if (argument.target >= VISOR_TARGET_BTI)
                continue;
            std::string_view target;
            if (argument.target == VISOR_TARGET_NAME) {
                target = needed(argument.name, "an argument's `name`") == '\0' ? "?" : argument.name;
            } else if (argument.target == VISOR_TARGET_INDEX) {
                target = numbers.emplace_back(std::to_string(argument.index));
            }
            given.push_back({target, "a value of the call"});
            sources.push_back(&argument);
        }
        const auto found = vm::match(kernel_.facts, given);
        if (!found)
            refuse(VISOR_ERROR_INPUT, "error: " + found.error());
        for (const std::optional<size_t>& index : *found)
            matched_.push_back(index ? sources[*index] : nullptr);
    }

    // One argument for each parameter in order, as nearly every launch has it.
    [[nodiscard]] bool is_plain(std::span<const visor_argument> arguments) const {
        const std::vector<vm::Parameter>& parameters = kernel_.facts.parameters;
        return arguments.size() == parameters.size() &&
               std::ranges::all_of(
                   arguments,
                   [](const visor_argument& argument) { return argument.target == VISOR_TARGET_NEXT; }) &&
               std::ranges::none_of(parameters, &vm::Parameter::optional);
    }

    // ---- conversion ----

    void check_owner(const ContextObject* owner) const {
        if (owner != context_)
            refuse(VISOR_ERROR_ARGUMENT, "an argument's memory or sampler belongs to another context");
    }
    template <class Object, class Handle>
    std::shared_ptr<Object> hold(Handle handle) {
        auto found = find<Object>(handle);
        check_owner(found->context.get());
        out_.held.push_back(found);
        return found;
    }
    launch::Buffer buffer_of(const visor_argument& argument) {
        return argument.buffer == nullptr ? launch::Buffer{} : hold<BufferObject>(argument.buffer)->buffer;
    }
    static std::vector<std::byte> bytes_of(const visor_argument& argument) {
        const std::string_view content = content_of(argument.data, argument.bytes, "an argument's `data`");
        const auto bytes = std::as_bytes(std::span(content));
        return {bytes.begin(), bytes.end()};
    }

    void set(const vm::Parameter& parameter, const visor_argument& argument) {
        const int32_t kind = number_in(argument.kind, VISOR_ARGUMENT_FILLER, "an argument's `kind`");
        if (kernel_.facts.hand_written)
            out_.inputs.push_back({parameter.name, input_of(kind, argument)});
        else
            out_.values.push_back(value_of(kind, argument));
    }

    launch::ArgumentValue value_of(int32_t kind, const visor_argument& argument) {
        switch (kind) {
        case VISOR_ARGUMENT_BYTES:
            return bytes_of(argument);
        case VISOR_ARGUMENT_BUFFER:
            return buffer_of(argument);
        case VISOR_ARGUMENT_LOCAL:
            return launch::LocalBytes{argument.bytes};
        case VISOR_ARGUMENT_IMAGE:
            return hold<ImageObject>(argument.image)->image;
        case VISOR_ARGUMENT_SAMPLER:
            return hold<SamplerObject>(argument.sampler)->sampler;
        default:
            break;
        }
        refuse(VISOR_ERROR_ARGUMENT, "a filler is for hand-written vISA; this kernel was compiled");
    }

    decltype(launch::HandInput::value) input_of(int32_t kind, const visor_argument& argument) {
        switch (kind) {
        case VISOR_ARGUMENT_BYTES:
            return launch::InputBytes{bytes_of(argument)};
        case VISOR_ARGUMENT_BUFFER:
            return buffer_of(argument);
        case VISOR_ARGUMENT_IMAGE:
            return hold<ImageObject>(argument.image)->image;
        case VISOR_ARGUMENT_SAMPLER:
            return hold<SamplerObject>(argument.sampler)->sampler;
        case VISOR_ARGUMENT_FILLER:
            return launch::InputFiller{static_cast<machine::Filler>(
                number_in(argument.filler, VISOR_FILLER_THREAD, "an argument's `filler`"))};
        default:
            break;
        }
        refuse(VISOR_ERROR_ARGUMENT, "local memory of a hand-written kernel is the shape's `slm_bytes`");
    }

    void set_state(const visor_argument& argument, size_t at) {
        if (!kernel_.facts.hand_written)
            refuse(VISOR_ERROR_ARGUMENT,
                   argument_text(at) + ": binding-table and sampler indices are for hand-written vISA");
        const bool surface = argument.target == VISOR_TARGET_BTI;
        if (argument.index > (surface ? last_surface_index : last_sampler_index))
            refuse(VISOR_ERROR_ARGUMENT,
                   argument_text(at) + ": `index` is more than " +
                       std::to_string(surface ? last_surface_index : last_sampler_index));
        launch::HandState state{.index = argument.index, .value = launch::Buffer{}};
        if (!surface && argument.kind == VISOR_ARGUMENT_SAMPLER)
            state.value = hold<SamplerObject>(argument.sampler)->sampler;
        else if (surface && argument.kind == VISOR_ARGUMENT_BUFFER)
            state.value = buffer_of(argument);
        else if (surface && argument.kind == VISOR_ARGUMENT_IMAGE)
            state.value = hold<ImageObject>(argument.image)->image;
        else
            refuse(VISOR_ERROR_ARGUMENT, argument_text(at) + (surface ? ": a surface is a buffer or an image"
                                                                      : ": a sampler index takes a sampler"));
        out_.states.push_back(state);
    }

    const KernelObject& kernel_;
    const ContextObject* context_;
    std::vector<const visor_argument*> matched_; // by parameter; nullptr: left out
    Binding out_;
};

} // namespace

Binding bind(const KernelObject& kernel, std::span<const visor_argument> arguments,
             const visor_shape& shape) {
    return Binder(kernel).bind(arguments, shape);
}

} // namespace visor::capi
