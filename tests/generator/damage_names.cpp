#include "damage.h"

#include "isa/predefined.h"
#include "module/module.h"
#include "variables.h"

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace visor::generator {

namespace {

using Names = std::vector<std::reference_wrapper<std::string>>;

template <class Items>
void add(Names& names, Items& items) {
    for (auto& item : items)
        names.emplace_back(item.name);
}

Names names_of(Function& function) {
    Names names;
    add(names, function.general);
    add(names, function.addresses);
    add(names, function.predicates);
    add(names, function.samplers);
    add(names, function.surfaces);
    add(names, function.labels);
    return names;
}

constexpr std::array given =
    std::to_array<std::string_view>({"", "", "S31", "T0", "T5", "V0032", "V0033_1", "A0", "P1", "S0", "L0"});

std::string another_name(Random& random, const Names& names) {
    const std::string& other = names[random.below(names.size())];
    switch (random.below(7)) {
    case 0:
        return std::string(random.pick(given));
    case 1:
        return isa::predefined_variables[random.below(isa::predefined_count)].name;
    case 2:
        return isa::predefined_surfaces[random.below(isa::first_user_surface)];
    case 3:
        return other.substr(0, 1000) + "_1";
    case 4:
        return std::string(1023, 'x');
    case 5:
        return odd_name(random, "V0032");
    default:
        return other;
    }
}

// The same program with two labels' numbers exchanged, with a label that nothing names, or with a kind that
// its label's use does not say.
void damage_labels(Random& random, Function& function) {
    std::vector<Label>& labels = function.labels;
    if (!labels.empty() && random.one_in(3)) {
        Label& label = labels[random.below(labels.size())];
        if (label.defined)
            label.kind = static_cast<LabelKind>(random.below(5));
        return;
    }
    if (labels.size() < 2 || random.one_in(4)) {
        labels.push_back({.name = labels.empty() ? "" : labels.front().name});
        return;
    }
    const auto one = static_cast<uint32_t>(random.below(labels.size()));
    const auto other = static_cast<uint32_t>(random.below(labels.size()));
    std::swap(labels[one], labels[other]);
    for (Instruction& instruction : function.code) {
        for (Operand& operand : instruction.operands) {
            if (operand.kind == OperandKind::label && (operand.id == one || operand.id == other))
                operand.id ^= one ^ other;
        }
    }
}

} // namespace

void damage_names(Random& random, Module& module) {
    for (uint64_t times = 1 + random.below(4); times > 0; --times) {
        Function& function = module.functions[random.below(module.functions.size())];
        const Names names = names_of(function);
        if (names.empty() || random.one_in(6))
            damage_labels(random, function);
        else
            names[random.below(names.size())].get() = another_name(random, names);
    }
}

} // namespace visor::generator
