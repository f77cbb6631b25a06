#include "variables.h"

#include "isa/predefined.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace visor::generator {

namespace {

using isa::Type;
using isa::TypeSet;

constexpr uint32_t most_bytes = 65536; // of a variable
constexpr uint32_t most_elements = 65535;

// Types that a variable may have; the last four have no code in a binary.
constexpr TypeSet binary_types = isa::types(Type::ud, Type::d, Type::uw, Type::w, Type::ub, Type::b, Type::df,
                                            Type::f, Type::uq, Type::q, Type::hf, Type::bf);
constexpr TypeSet text_types = binary_types | isa::types(Type::tf32, Type::hf8, Type::bf8, Type::e2m1);

constexpr std::array odd_names = std::to_array<std::string_view>(
    {"add",         "r",          "flat",   "bti",      "ss",       "x",     "t",     "n",         "abs",
     "sat",         "M1",         "NoMask", "GRF",      "any",      "V32.0", "%mine", "two words", "quo\"te",
     "back\\slash", "line\nfeed", "\ttab",  "\x01\x7f", "\xff\xfe", "-5",    "0x10",  "5",         "<1>",
     "(",           "a-b",        "$x",     "@y",       "?",        "FILE",  "LOC",   "null",      "// no",
     "/* no */",    "}",          "T0",     "a:b",      "\\",       "decl",  ".5",    " "});

TypeSet storable(TypeSet types, Medium medium) {
    const TypeSet possible = medium == Medium::text ? text_types : binary_types;
    return types == 0 ? possible : types & possible;
}

} // namespace

std::string odd_name(Random& random, std::string_view plain) {
    if (!random.one_in(12))
        return std::string(plain);
    if (random.one_in(20))
        return std::string(1000, 'n').append(plain);
    return std::string(random.pick(odd_names));
}

Variables::Variables(Random& random, const GeneratorOptions& options, Function& function)
    : random_(random), options_(options), function_(function) {
    // What needs no declaration cannot be declared; S31 is the bindless sampler.
    for (const isa::PredefinedVariable& variable : isa::predefined_variables)
        names_.insert(variable.name);
    for (const char* surface : isa::predefined_surfaces)
        names_.insert(surface);
    names_.insert("S31");
}

std::string Variables::name(char letter, uint32_t number) {
    const std::string plain =
        letter == 'V' ? fmt::format("V{:04}", number) : fmt::format("{}{}", letter, number);
    for (std::string candidate = odd_name(random_, plain);;
         candidate = plain + "_" + std::to_string(names_.size())) {
        if (names_.insert(candidate).second)
            return candidate;
    }
}

// ---- general variables

Type Variables::type_of(TypeSet types) {
    std::array<Type, isa::type_count> list{};
    size_t count = 0;
    for (unsigned code = 0; code < isa::type_count; ++code) {
        if (isa::contains(types, static_cast<Type>(code)))
            list[count++] = static_cast<Type>(code);
    }
    return list[random_.below(count)];
}

uint32_t Variables::bytes_of(uint32_t general_id) const {
    return general_elements(function_, general_id, options_.grf_bytes) *
           isa::size_of(general_type(function_, general_id));
}

bool Variables::suits(uint32_t id, TypeSet types, uint32_t bytes) const {
    return isa::contains(types, general_type(function_, id)) && bytes_of(id) >= bytes;
}

uint32_t Variables::general(TypeSet types, uint32_t bytes, bool is_written) {
    const TypeSet possible = storable(types, options_.medium);
    if (random_.one_in(10)) {
        const auto id = static_cast<uint32_t>(1 + random_.below(isa::predefined_count - 1));
        if ((!is_written || isa::predefined_variables[id].writable) && suits(id, possible, bytes))
            return id;
    }
    for (unsigned attempts = 0; attempts < 4 && !function_.general.empty(); ++attempts) {
        const auto id =
            static_cast<uint32_t>(isa::first_user_general + random_.below(function_.general.size()));
        if (suits(id, possible, bytes))
            return id;
    }
    return declare_general(possible, bytes);
}

uint32_t Variables::declare_general(TypeSet types, uint32_t bytes) {
    const auto id = static_cast<uint32_t>(isa::first_user_general + function_.general.size());
    GeneralVariable variable;
    variable.name = name('V', id);
    variable.type = type_of(types);
    const uint32_t size = isa::size_of(variable.type);
    const uint32_t most = std::min(most_elements, most_bytes / size);
    const uint32_t least = std::max(1U, (bytes + size - 1) / size);
    const auto spare = static_cast<uint32_t>(random_.one_in(20) ? random_.below(most) : random_.below(65));
    variable.elements = std::min(most, least + spare);
    variable.align = static_cast<Align>(random_.below(static_cast<unsigned>(Align::word64) + 1));
    if (random_.one_in(4))
        make_alias(variable);
    while (random_.one_in(8))
        variable.attributes.push_back(attribute(random_, options_.medium, false));
    function_.general.push_back(std::move(variable));
    return id;
}

// Of a variable that has the room, at an element's boundary.
void Variables::make_alias(GeneralVariable& variable) {
    const uint32_t size = isa::size_of(variable.type);
    const uint32_t bytes = size * variable.elements;
    const auto choices = isa::first_user_general + function_.general.size();
    const auto id = static_cast<uint32_t>(random_.below(choices));
    if (id == 0 || !general_exists(function_, id) || bytes_of(id) < bytes)
        return;
    variable.alias = id;
    const uint32_t room = std::min((bytes_of(id) - bytes) / size, most_elements / size);
    variable.alias_offset = static_cast<uint32_t>(random_.below(room + 1)) * size;
}

// ---- the others

OtherVariable Variables::other(char letter, uint32_t number, uint32_t elements) {
    OtherVariable variable;
    variable.name = name(letter, number);
    variable.elements = elements;
    const bool state = letter == 'S' || letter == 'T';
    if (state && options_.medium == Medium::text && random_.one_in(2))
        variable.v_name = odd_name(random_, variable.name);
    while (random_.one_in(8))
        variable.attributes.push_back(attribute(random_, options_.medium, false));
    return variable;
}

uint32_t Variables::address(uint32_t elements) {
    std::vector<OtherVariable>& list = function_.addresses;
    const auto id = static_cast<uint32_t>(random_.below(list.size() + 1));
    if (id < list.size() && list[id].elements >= elements)
        return id;
    list.push_back(
        other('A', static_cast<uint32_t>(list.size()), elements + static_cast<uint32_t>(random_.below(17))));
    return static_cast<uint32_t>(list.size() - 1);
}

uint32_t Variables::predicate(uint32_t lanes) {
    std::vector<OtherVariable>& list = function_.predicates;
    const auto index = static_cast<uint32_t>(random_.below(list.size() + 1));
    if (index < list.size() && list[index].elements >= lanes)
        return isa::first_user_predicate + index;
    const auto id = static_cast<uint32_t>(isa::first_user_predicate + list.size());
    list.push_back(other('P', id, lanes));
    return id;
}

uint32_t Variables::sampler() {
    std::vector<OtherVariable>& list = function_.samplers;
    if (random_.one_in(4))
        return isa::bindless_sampler;
    const auto id =
        static_cast<uint32_t>(random_.below(std::min<size_t>(list.size() + 1, isa::bindless_sampler)));
    if (id == list.size())
        list.push_back(other('S', id, static_cast<uint32_t>(1 + random_.below(16))));
    return id;
}

uint32_t Variables::surface() {
    std::vector<OtherVariable>& list = function_.surfaces;
    if (random_.one_in(3))
        return static_cast<uint32_t>(random_.below(isa::first_user_surface));
    constexpr size_t most = 200; // an id is a byte
    const auto index = static_cast<uint32_t>(random_.below(std::min(list.size() + 1, most)));
    const uint32_t id = isa::first_user_surface + index;
    if (index == list.size())
        list.push_back(other('T', id, static_cast<uint32_t>(1 + random_.below(16))));
    return id;
}

// ---- what no instruction asks for

void Variables::add_extras() {
    while (random_.one_in(3))
        static_cast<void>(declare_general(storable(0, options_.medium), 1));
    const bool has_inputs = options_.medium == Medium::text || function_.kind == FunctionKind::kernel;
    while (has_inputs && !random_.one_in(3))
        add_input();
    while (!random_.one_in(3))
        function_.attributes.push_back(attribute(random_, options_.medium, true));
}

void Variables::add_input() {
    Input input;
    input.klass = static_cast<InputClass>(random_.below(3));
    if (input.klass == InputClass::sampler)
        input.id = sampler();
    else if (input.klass == InputClass::surface)
        input.id = surface();
    else
        input.id = general(0, 1, false);
    constexpr uint64_t last_implicit = 31; // five bits in a binary
    input.implicit = static_cast<uint8_t>(random_.one_in(2) ? 0 : random_.number(last_implicit));
    input.offset = static_cast<int32_t>(random_.between(INT16_MIN, INT16_MAX));
    input.size = static_cast<uint32_t>(random_.number(UINT16_MAX));
    function_.inputs.push_back(input);
}

namespace {

constexpr std::array kernel_flags =
    std::to_array<const char*>({"Extern", "NoBarrier", "Callable", "Caller", "Composable", "Entry",
                                "SepSpillPvtSS", "LTO_InvokeOptTarget"});
constexpr std::array kernel_numbers =
    std::to_array<const char*>({"Target", "SpillMemOffset", "ArgSize", "RetValSize", "PerThreadInputSize",
                                "CrossThreadInputSize", "SimdSize", "NumGRF"});
constexpr std::array variable_flags = std::to_array<const char*>(
    {"Input", "Output", "Input_Output", "PayloadLiveOut", "NoWidening", "DoNotSpill"});
constexpr std::array variable_numbers = std::to_array<const char*>({"Scope", "SurfaceUsage"});

} // namespace

Attribute attribute(Random& random, Medium medium, bool of_kernel) {
    Attribute made;
    switch (random.below(of_kernel ? 3 : 2)) {
    case 0:
        made.name = of_kernel ? random.pick(kernel_flags) : random.pick(variable_flags);
        break;
    case 1:
        made.name = of_kernel ? random.pick(kernel_numbers) : random.pick(variable_numbers);
        made.has_number = true;
        made.number = medium == Medium::text && random.one_in(4)
                          ? static_cast<int64_t>(random.number(UINT64_MAX))
                          : random.between(INT8_MIN, INT8_MAX);
        break;
    default:
        made.name = "OutputAsmPath";
        made.has_text = true;
        made.text = odd_name(random, "a.asm").substr(0, UINT8_MAX); // a byte says how long
        break;
    }
    return made;
}

} // namespace visor::generator
