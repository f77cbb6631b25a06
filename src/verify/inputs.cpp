// 4_visa_header, Input Variables: which variables are inputs, and where in the register file they arrive.
#include "verify/chapters.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace visor::verify {

namespace {

// The variable of an input, as far as inputs care.
struct Source {
    std::string name;
    uint64_t bytes = 0;
    uint64_t element = 4; // states are dwords
};

std::optional<Source> general_source(const Context& context, const Input& input) {
    if (isa::is_predefined(input.id) || !context.declared(input.id)) {
        context.diag(rule("input-variable"), input.where) << "the input is not a declared variable";
        return std::nullopt;
    }
    const GeneralVariable& declared = context.function.general[input.id - isa::first_user_general];
    if (declared.alias != 0)
        context.diag(rule("input-variable"), doubtful, input.where).note_at(declared.where, "declared here")
            << "the input `" << declared.name << "` is an alias";
    const Variable& variable = context.variable(input.id);
    return Source{declared.name, variable.bytes, std::max<uint64_t>(isa::size_of(variable.type), 1)};
}

std::optional<Source> state_source(const Context& context, const Input& input) {
    const bool surface = input.klass == InputClass::surface;
    const std::vector<OtherVariable>& states =
        surface ? context.function.surfaces : context.function.samplers;
    const uint32_t first = surface ? isa::first_user_surface : 0;
    if (input.id < first || input.id - first >= states.size()) {
        context.diag(rule("input-variable"), input.where)
            << "the input is not a declared " << (surface ? "surface" : "sampler");
        return std::nullopt;
    }
    const OtherVariable& state = states[input.id - first];
    return Source{state.name, uint64_t{4} * state.elements, 4};
}

void check_place(const Context& context, const Input& input, const Source& source) {
    const int64_t begin = input.offset;
    const int64_t end = begin + int64_t{input.size};
    const int64_t grf = context.grf_bytes;
    if (begin < 0 || end > 255 * grf) {
        context.diag(rule("input-range"), input.where)
            << "the input `" << source.name << "` lies in bytes " << begin << " to " << end
            << ", outside the register file";
        return;
    }
    if (begin < grf)
        context.diag(rule("input-range"), suspicious, input.where)
            << "the input `" << source.name << "` lies in register 0, which holds the thread's header";
    if (input.size > 0 && input.size < grf && begin / grf != (end - 1) / grf)
        context.diag(rule("input-range"), input.where)
            << "the input `" << source.name << "` of " << input.size << " bytes at offset " << begin
            << " crosses a register of " << grf << " bytes";
    const int64_t alignment = source.bytes >= context.grf_bytes ? grf : static_cast<int64_t>(source.element);
    if (begin % alignment != 0)
        context.diag(rule("input-alignment"), input.where)
            << "the input `" << source.name << "` is at offset " << begin << ", no multiple of " << alignment;
}

void check_input(const Context& context, const Input& input) {
    const auto source =
        input.klass == InputClass::general ? general_source(context, input) : state_source(context, input);
    if (!source)
        return;
    // A smaller input has a clear meaning, though the implementation refuses it as well.
    if (input.size != source->bytes)
        context.diag(rule("input-size"), input.size > source->bytes ? refused : doubtful, input.where)
            << "the input `" << source->name << "` has " << input.size << " bytes, its variable "
            << source->bytes;
    check_place(context, input, *source);
}

std::string input_name(const Context& context, const Input& input) {
    const Function& function = context.function;
    if (input.klass == InputClass::general)
        return general_name(function, input.id);
    if (input.klass == InputClass::surface)
        return surface_name(function, input.id);
    return input.id < function.samplers.size() ? function.samplers[input.id].name
                                               : "S" + std::to_string(input.id);
}

// Such inputs arrive nowhere.
bool is_pseudo(const Input& input) {
    return input.implicit == static_cast<uint8_t>(ImplicitKind::pseudo_input);
}

// A variable that arrives twice has two places, of which one is lost.
void check_duplicates(const Context& context) {
    std::vector<const Input*> all;
    for (const Input& input : context.function.inputs) {
        if (!is_pseudo(input))
            all.push_back(&input);
    }
    std::ranges::sort(all, {}, [](const Input* input) { return std::tuple(input->klass, input->id, input); });
    for (size_t index = 1; index < all.size(); ++index) {
        const Input& first = *all[index - 1];
        const Input& second = *all[index];
        if (first.klass != second.klass || first.id != second.id)
            continue;
        // Of a state both say the same; of registers engines count on what either says.
        const Levels levels = first.klass == InputClass::general ? refused : doubtful;
        context.diag(rule("duplicate-input"), levels, second.where).note_at(first.where, "first here")
            << "`" << input_name(context, second) << "` is an input already";
    }
}

std::vector<const Input*> placed_inputs(const Context& context) {
    std::vector<const Input*> placed;
    for (const Input& input : context.function.inputs) {
        if (!is_pseudo(input) && input.size != 0)
            placed.push_back(&input);
    }
    return placed;
}

void check_overlaps(const Context& context, std::vector<const Input*> placed) {
    std::ranges::sort(placed, {}, [](const Input* input) { return std::pair(input->offset, input); });
    const Input* furthest = nullptr; // of those before, the one that ends last
    const auto end = [](const Input& input) { return int64_t{input.offset} + input.size; };
    for (const Input* input : placed) {
        if (furthest != nullptr && input->offset < end(*furthest))
            context.diag(rule("input-overlap"), input->where).note_at(furthest->where, "the other input")
                << "two inputs share byte " << input->offset << " of the register file";
        if (furthest == nullptr || end(*input) > end(*furthest))
            furthest = input;
    }
}

// An input of a general variable that is there, by its storage.
struct Stored {
    const Input* input;
    const Variable* variable;

    [[nodiscard]] uint64_t end() const { return variable->root_offset + variable->bytes; }
};

std::vector<Stored> stored_inputs(const Context& context) {
    std::vector<Stored> stored;
    for (const Input& input : context.function.inputs) {
        const bool general =
            input.klass == InputClass::general && !isa::is_predefined(input.id) && context.declared(input.id);
        if (general && !is_pseudo(input))
            stored.push_back({&input, &context.variable(input.id)});
    }
    std::ranges::sort(stored, {}, [](const Stored& one) {
        return std::tuple(one.variable->root, one.variable->root_offset, one.input);
    });
    return stored;
}

// Through aliases inputs can share storage although they arrive at offsets of their own, or share what the
// hardware fills. Engines count on what either of them holds.
void check_storage(const Context& context) {
    const auto name = [&](uint32_t id) { return general_name(context.function, id); };
    const Stored* furthest = nullptr; // of those before in the same storage, the one that ends last
    const std::vector<Stored> stored = stored_inputs(context);
    for (const Stored& one : stored) {
        const uint32_t root = one.variable->root;
        if (furthest != nullptr && furthest->variable->root != root)
            furthest = nullptr;
        if (isa::is_predefined(root)) {
            context.diag(rule("input-overlap"), one.input->where)
                    .note_at(context.function.general[one.input->id - isa::first_user_general].where,
                             "declared here")
                << "the input `" << name(one.input->id) << "` shares bytes with the predefined variable `"
                << name(root) << "`";
        } else if (furthest != nullptr && one.variable->root_offset < furthest->end() &&
                   furthest->input->id != one.input->id) {
            context.diag(rule("input-overlap"), one.input->where)
                    .note_at(furthest->input->where, "the other input")
                << "the inputs `" << name(furthest->input->id) << "` and `" << name(one.input->id)
                << "` share byte " << one.variable->root_offset << " of `" << name(root) << "`";
        }
        if (furthest == nullptr || one.end() > furthest->end())
            furthest = &one;
    }
}

} // namespace

void check_inputs(const Context& context) {
    for (const Input& input : context.function.inputs)
        check_input(context, input);
    check_duplicates(context);
    check_overlaps(context, placed_inputs(context));
    check_storage(context);
}

} // namespace visor::verify
