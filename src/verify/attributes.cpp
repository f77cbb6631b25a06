// 4_visa_header: the attributes of kernels and variables, by name, kind and value.
#include "verify/chapters.h"

#include <algorithm>
#include <array>
#include <span>

namespace visor::verify {

namespace {

enum class Kind : uint8_t { flag, number, string, number_or_string };

struct Known {
    std::string_view name;
    Kind kind;
};

constexpr auto of_kernels = std::to_array<Known>({
    {"AllLaneActive", Kind::flag},
    {"ArgSize", Kind::number},
    {"AsmName", Kind::string}, // the page's other name for OutputAsmPath
    {"Callable", Kind::flag},
    {"Caller", Kind::flag},
    {"Composable", Kind::flag},
    {"CrossThreadInputSize", Kind::number},
    {"DisableLoadThreadPayloadWA", Kind::flag},
    {"Entry", Kind::flag},
    {"Extern", Kind::flag},
    {"LTO_InvokeOptTarget", Kind::flag},
    {"MaxRegThreadDispatch", Kind::number},
    {"NBarrierCnt", Kind::number},
    {"NoBarrier", Kind::flag},
    {"NumGRF", Kind::number},
    {"OutputAsmPath", Kind::string},
    {"PerThreadInputSize", Kind::number},
    {"RetValSize", Kind::number},
    {"SLMSize", Kind::number},
    {"ScratchIndirectMemOffset", Kind::number},
    {"ScratchIndirectRegOffset", Kind::number},
    {"ScratchInlineOffset", Kind::number},
    {"SepSpillPvtSS", Kind::flag},
    {"SimdSize", Kind::number},
    {"SpillMemOffset", Kind::number},
    {"Target", Kind::number_or_string},     // 0 or "cm", 1 or "3d"
    {"crossThreadInputSize", Kind::number}, // the compiler's other spellings
    {"perThreadInputSize", Kind::number},
});

constexpr auto of_variables = std::to_array<Known>({
    {"DoNotSpill", Kind::flag},
    {"ExclusiveLoad", Kind::flag},
    {"ForceSpill", Kind::flag},
    {"Input", Kind::flag},
    {"Input_Output", Kind::flag},
    {"NoWidening", Kind::flag},
    {"Output", Kind::flag},
    {"PayloadLiveOut", Kind::flag},
    {"Scope", Kind::number},
    {"SurfaceUsage", Kind::number},
});

std::string_view wanted(Kind kind) {
    switch (kind) {
    case Kind::flag:
        return "no value";
    case Kind::number:
        return "a number";
    case Kind::string:
        return "a string";
    case Kind::number_or_string:
        break;
    }
    return "a number or a string";
}

// A number without a value is 1, a flag with one is 0 or 1 (4_visa_header, Attributes).
bool fits(const Attribute& attribute, Kind kind) {
    switch (kind) {
    case Kind::flag:
        return !attribute.has_text &&
               (!attribute.has_number || attribute.number == 0 || attribute.number == 1);
    case Kind::number:
        return !attribute.has_text;
    case Kind::string:
        return attribute.has_text;
    case Kind::number_or_string:
        break;
    }
    return true;
}

bool check_attribute(const Context& context, const Attribute& attribute, std::span<const Known> all) {
    const auto known = std::ranges::find(all, std::string_view(attribute.name), &Known::name);
    if (known == all.end()) {
        std::vector<std::string_view> names;
        if (!context.options.counts_only) // a hint costs more than all else here
            std::ranges::transform(all, std::back_inserter(names), &Known::name);
        return context.diag(rule("unknown-attribute"), attribute.where)
               << "there is no attribute `" << attribute.name << "`" << did_you_mean(attribute.name, names)
               << "; nothing that has it is launched";
    }
    if (!fits(attribute, known->kind))
        return context.diag(rule("attribute-kind"), attribute.where)
               << "the attribute `" << attribute.name << "` takes " << wanted(known->kind);
    return true;
}

void check_value(const Context& context, const Attribute& attribute) {
    const int64_t value = attribute.number;
    if (!attribute.has_number)
        return;
    if (attribute.name == "SimdSize" && value != 0 && value != 8 && value != 16 && value != 32)
        context.diag(rule("attribute-value"), attribute.where)
            << "SimdSize is " << value << "; allowed: 8, 16, 32";
    const isa::Device* device = context.options.device;
    const int64_t slm = device == nullptr ? 64 : device->slm_bytes >> 10U;
    if (attribute.name == "SLMSize" && (value < 0 || value > slm))
        context.diag(rule("attribute-value"), attribute.where)
            << "SLMSize is " << value << "; allowed: 0 to " << slm << " (KiB)";
    if (attribute.name == "Target" && value != 0 && value != 1)
        context.diag(rule("attribute-value"), attribute.where) << "Target is " << value << "; allowed: 0, 1";
}

void check_repeated(const Context& context, std::string_view name) {
    const Attribute* first = nullptr;
    for (const Attribute& attribute : context.function.attributes) {
        if (attribute.name != name)
            continue;
        if (first != nullptr)
            context.diag(rule("duplicate-attribute"), attribute.where)
                    .note_at(first->where, "the first one is here")
                << "`" << name << "` is given twice";
        first = first == nullptr ? &attribute : first;
    }
}

template <class Variables>
void check_variables(const Context& context, const Variables& variables) {
    for (const auto& variable : variables) {
        for (const Attribute& attribute : variable.attributes)
            static_cast<void>(check_attribute(context, attribute, of_variables));
    }
}

} // namespace

void check_attributes(const Context& context) {
    const Function& function = context.function;
    for (const Attribute& attribute : function.attributes) {
        if (check_attribute(context, attribute, of_kernels))
            check_value(context, attribute);
    }
    check_repeated(context, "SLMSize");
    check_repeated(context, "NBarrierCnt");
    check_variables(context, function.general);
    check_variables(context, function.addresses);
    check_variables(context, function.predicates);
    check_variables(context, function.samplers);
    check_variables(context, function.surfaces);
}

} // namespace visor::verify
