#include "verify/spelling.h"

#include <fmt/format.h>

namespace visor::verify {

namespace {

void append_kebab(std::string& id, std::string_view name) {
    for (const char c : name)
        id += c == '_' || c == '.' ? '-' : c;
}

void append_item(std::string& items, std::string_view item) {
    if (!items.empty())
        items += ", ";
    items += item;
}

} // namespace

std::string concrete_id(std::string_view pattern, const isa::Row& row, std::string_view operand) {
    constexpr std::string_view instruction_mark = "<instruction>";
    constexpr std::string_view operand_mark = "<operand>";
    std::string id;
    if (pattern.starts_with(instruction_mark)) {
        append_kebab(id, row.mnemonic);
        pattern.remove_prefix(instruction_mark.size());
    }
    if (pattern.starts_with(fmt::format("-{}", operand_mark))) {
        id += '-';
        append_kebab(id, operand);
        pattern.remove_prefix(1 + operand_mark.size());
    }
    id += pattern;
    return id;
}

std::string_view page_of(const Rule& rule, const isa::Row& row) {
    return std::string_view(rule.page) == pages::own ? row.page : rule.page;
}

std::string name(const OperandSite& site) {
    return fmt::format("`{}` of {}", site.field.name, site.site.row().mnemonic);
}

std::string variable_name(const OperandSite& site) {
    const Function& function = site.context().function;
    const Operand& operand = site.operand;
    const auto declared_name = [&](const std::vector<OtherVariable>& variables, uint32_t index, char letter) {
        return index < variables.size() ? fmt::format("`{}`", variables[index].name)
                                        : fmt::format("`{}{}`", letter, operand.id);
    };
    switch (operand.kind) {
    case OperandKind::address:
    case OperandKind::indirect:
        return declared_name(function.addresses, operand.id, 'A');
    case OperandKind::predicate:
        return declared_name(function.predicates, operand.id - isa::first_user_predicate, 'P');
    case OperandKind::surface:
    case OperandKind::state_surface:
        return fmt::format("`{}`", surface_name(function, operand.id));
    case OperandKind::sampler:
    case OperandKind::state_sampler:
        return declared_name(function.samplers, operand.id, 'S');
    default:
        return fmt::format("`{}`", general_name(function, operand.id));
    }
}

std::string elements(uint32_t first, uint32_t count) {
    return count == 1 ? fmt::format("element {}", first)
                      : fmt::format("elements {} to {}", first, uint64_t{first} + count - 1);
}

std::string list(isa::TypeSet types) {
    std::string items;
    for (unsigned code = 0; code < isa::type_count; ++code) {
        const auto type = static_cast<isa::Type>(code);
        if (isa::contains(types, type))
            append_item(items, isa::facts(type).name);
    }
    return items;
}

std::string list_sizes(uint8_t exec_sizes) {
    std::string items;
    for (unsigned power = 0; power < 6; ++power) {
        if ((exec_sizes >> power & 1U) != 0)
            append_item(items, std::to_string(1U << power));
    }
    return items;
}

std::string list_devices(isa::DeviceSet set) {
    std::string items;
    for (const isa::Device& device : isa::devices()) {
        if (isa::contains(set, device.id))
            append_item(items, device.name);
    }
    return items;
}

} // namespace visor::verify
