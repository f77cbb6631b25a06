#include "vm/parameter.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace visor::vm {

namespace {

// The element type and width of an OpenCL type name: "float4" -> float, 4.
struct ScalarType {
    const char* name;
    isa::Type type;
};
constexpr std::array<ScalarType, 22> scalar_types{{
    {"char", isa::Type::b},        {"uchar", isa::Type::ub},     {"unsigned char", isa::Type::ub},
    {"short", isa::Type::w},       {"ushort", isa::Type::uw},    {"unsigned short", isa::Type::uw},
    {"int", isa::Type::d},         {"uint", isa::Type::ud},      {"unsigned int", isa::Type::ud},
    {"long", isa::Type::q},        {"ulong", isa::Type::uq},     {"unsigned long", isa::Type::uq},
    {"float", isa::Type::f},       {"double", isa::Type::df},    {"half", isa::Type::hf},
    {"size_t", isa::Type::uq},     {"bool", isa::Type::ub},      {"ptrdiff_t", isa::Type::q},
    {"intptr_t", isa::Type::q},    {"uintptr_t", isa::Type::uq}, {"unsigned", isa::Type::ud},
    {"signed char", isa::Type::b},
}};

void set_element(Parameter& parameter) {
    std::string_view base = parameter.type_name;
    while (!base.empty() && (base.back() == '*' || base.back() == ' '))
        base.remove_suffix(1);
    size_t digits = base.size();
    while (digits > 0 && std::isdigit(static_cast<unsigned char>(base[digits - 1])) != 0)
        --digits;
    const std::string_view count = base.substr(digits);
    const auto found = std::ranges::find_if(
        scalar_types, [&](const ScalarType& scalar) { return base.substr(0, digits) == scalar.name; });
    if (found == scalar_types.end() || count.size() > 2)
        return;
    parameter.element = found->type;
    parameter.element_known = true;
    parameter.elements = count.empty() ? 1 : static_cast<uint32_t>(std::stoul(std::string(count)));
}

} // namespace

Parameter parameter_of(const launch::Argument& argument) {
    Parameter out;
    out.name = argument.name;
    out.type_name = argument.type_name;
    out.bytes = argument.bytes;
    switch (argument.kind) {
    case launch::ArgumentKind::value:
        out.kind = ParameterKind::value;
        break;
    case launch::ArgumentKind::global_pointer:
    case launch::ArgumentKind::constant_pointer:
        out.kind = ParameterKind::buffer;
        break;
    case launch::ArgumentKind::local_pointer:
        out.kind = ParameterKind::local;
        break;
    case launch::ArgumentKind::image:
        out.kind = ParameterKind::image;
        out.access = argument.access;
        break;
    case launch::ArgumentKind::sampler:
        out.kind = ParameterKind::sampler;
        break;
    }
    set_element(out);
    return out;
}

Parameter parameter_of(const Function& function, const Input& input) {
    Parameter out;
    switch (input.klass) {
    case InputClass::general:
        out.kind = ParameterKind::variable;
        out.name = general_name(function, input.id);
        out.element = general_type(function, input.id);
        out.type_name = isa::facts(out.element).name;
        out.element_known = true;
        out.elements = general_elements(function, input.id, 32);
        out.bytes = input.size;
        break;
    case InputClass::surface:
        out.kind = ParameterKind::surface;
        out.name = surface_name(function, input.id);
        out.type_name = "surface";
        break;
    case InputClass::sampler:
        out.kind = ParameterKind::state_sampler;
        out.name = input.id < function.samplers.size() ? function.samplers[input.id].name : "S";
        out.type_name = "sampler";
        break;
    }
    return out;
}

} // namespace visor::vm
