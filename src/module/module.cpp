#include "module/module.h"

#include <algorithm>

namespace visor {

bool Operand::same(const Operand& other) const {
    return kind == other.kind && modifier == other.modifier && type == other.type && region == other.region &&
           row == other.row && column == other.column && width == other.width && klass == other.klass &&
           id == other.id && offset == other.offset && value == other.value;
}

bool Attribute::same(const Attribute& other) const {
    return name == other.name && has_number == other.has_number && has_text == other.has_text &&
           number == other.number && text == other.text;
}

bool Instruction::same(const Instruction& other) const {
    const auto same_operand = [](const Operand& a, const Operand& b) { return a.same(b); };
    return row == other.row && execution == other.execution && predicate == other.predicate &&
           saturate == other.saturate && std::ranges::equal(operands, other.operands, same_operand);
}

uint32_t bytes(Align align, uint32_t grf_bytes) {
    switch (align) {
    case Align::byte:
        return 1;
    case Align::word:
        return 2;
    case Align::dword:
        return 4;
    case Align::qword:
        return 8;
    case Align::oword:
        return 16;
    case Align::grf:
        return grf_bytes;
    case Align::grf2:
        return 2 * grf_bytes;
    case Align::hword:
        return 32;
    case Align::word32:
        return 64;
    case Align::word64:
        return 128;
    }
    return 1;
}

const Attribute* Function::attribute(std::string_view attribute_name) const {
    const auto found = std::ranges::find(attributes, attribute_name, &Attribute::name);
    return found == attributes.end() ? nullptr : &*found;
}

int64_t Function::attribute_number(std::string_view attribute_name, int64_t absent) const {
    const Attribute* found = attribute(attribute_name);
    return found != nullptr && found->has_number ? found->number : absent;
}

bool general_exists(const Function& function, uint32_t id) {
    return id < isa::predefined_count ||
           (id >= isa::first_user_general && id - isa::first_user_general < function.general.size());
}

namespace {

const GeneralVariable* declared(const Function& function, uint32_t id) {
    const bool user = !isa::is_predefined(id) && general_exists(function, id);
    return user ? &function.general[id - isa::first_user_general] : nullptr;
}

} // namespace

isa::Type general_type(const Function& function, uint32_t id) {
    if (const GeneralVariable* variable = declared(function, id))
        return variable->type;
    return id < isa::predefined_count ? isa::predefined_variables[id].type : isa::Type::ud;
}

uint32_t general_elements(const Function& function, uint32_t id, uint32_t grf_bytes) {
    if (const GeneralVariable* variable = declared(function, id))
        return variable->elements;
    return id < isa::predefined_count ? isa::elements(isa::predefined_variables[id], grf_bytes) : 0;
}

std::string general_name(const Function& function, uint32_t id) {
    if (const GeneralVariable* variable = declared(function, id))
        return variable->name;
    return id < isa::predefined_count ? isa::predefined_variables[id].name : "V" + std::to_string(id);
}

std::string surface_name(const Function& function, uint32_t id) {
    if (id < isa::first_user_surface)
        return isa::predefined_surfaces[id];
    const uint32_t index = id - isa::first_user_surface;
    return index < function.surfaces.size() ? function.surfaces[index].name : "T" + std::to_string(id);
}

Root root_of(const Function& function, uint32_t id) {
    Root root{id, 0};
    for (size_t steps = 0; steps <= function.general.size(); ++steps) {
        const GeneralVariable* variable = declared(function, root.id);
        if (variable == nullptr || variable->alias == 0)
            return root;
        root.offset += variable->alias_offset;
        root.id = variable->alias;
    }
    return root;
}

bool takes_address(const Instruction& instruction, size_t operand_index) {
    const Operand& operand = instruction.operands[operand_index];
    if (operand.kind == OperandKind::address_of)
        return operand.klass == 0;
    // A variable that stands for its own place.
    return operand.kind == OperandKind::general && instruction.row->family == isa::Family::address &&
           operand_index == 1;
}

namespace {

bool same_attributes(const std::vector<Attribute>& a, const std::vector<Attribute>& b) {
    return std::ranges::equal(a, b, [](const Attribute& x, const Attribute& y) { return x.same(y); });
}

bool same_others(const std::vector<OtherVariable>& a, const std::vector<OtherVariable>& b) {
    return std::ranges::equal(a, b, [](const OtherVariable& x, const OtherVariable& y) {
        return x.name == y.name && x.elements == y.elements && x.v_name == y.v_name &&
               same_attributes(x.attributes, y.attributes);
    });
}

bool same_generals(const std::vector<GeneralVariable>& a, const std::vector<GeneralVariable>& b) {
    return std::ranges::equal(a, b, [](const GeneralVariable& x, const GeneralVariable& y) {
        return x.name == y.name && x.type == y.type && x.elements == y.elements && x.align == y.align &&
               x.alias == y.alias && x.alias_offset == y.alias_offset &&
               same_attributes(x.attributes, y.attributes);
    });
}

} // namespace

bool same(const Function& a, const Function& b) {
    const auto same_input = [](const Input& x, const Input& y) {
        return x.klass == y.klass && x.implicit == y.implicit && x.id == y.id && x.offset == y.offset &&
               x.size == y.size;
    };
    const auto same_label = [](const Label& x, const Label& y) {
        return x.name == y.name && x.kind == y.kind && x.defined == y.defined;
    };
    const auto same_instruction = [](const Instruction& x, const Instruction& y) { return x.same(y); };
    return a.kind == b.kind && a.name == b.name && same_generals(a.general, b.general) &&
           same_others(a.addresses, b.addresses) && same_others(a.predicates, b.predicates) &&
           same_others(a.samplers, b.samplers) && same_others(a.surfaces, b.surfaces) &&
           std::ranges::equal(a.inputs, b.inputs, same_input) &&
           same_attributes(a.attributes, b.attributes) &&
           std::ranges::equal(a.labels, b.labels, same_label) && a.strings == b.strings &&
           std::ranges::equal(a.code, b.code, same_instruction);
}

bool same(const Module& a, const Module& b) {
    return a.major == b.major && a.minor == b.minor &&
           std::ranges::equal(a.functions, b.functions,
                              [](const Function& x, const Function& y) { return same(x, y); });
}

} // namespace visor
