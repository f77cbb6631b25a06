#include "module/unique_names.h"

#include "module/name_map.h"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace visor {

namespace {

constexpr size_t longest_number = 11; // `_` and 32 bits
constexpr std::string_view bindless_name = "S31";

bool uses_bindless_sampler(const Function& function) {
    constexpr uint8_t sampler_class = 3; // of a `lifetime`
    const auto is_used = [](const Operand& operand) {
        const bool sampler =
            operand.kind == OperandKind::sampler || operand.kind == OperandKind::state_sampler ||
            ((operand.kind == OperandKind::variable || operand.kind == OperandKind::address_of) &&
             operand.klass == sampler_class);
        return sampler && operand.id == isa::bindless_sampler;
    };
    const auto is_input = [](const Input& input) {
        return input.klass == InputClass::sampler && input.id == isa::bindless_sampler;
    };
    return function.samplers.size() <= isa::bindless_sampler &&
           (std::ranges::any_of(function.inputs, is_input) ||
            std::ranges::any_of(function.code, [&](const Instruction& instruction) {
                return std::ranges::any_of(instruction.operands, is_used);
            }));
}

bool is_declared(const Function& function, std::string_view name) {
    const auto any = [name](const auto& items) {
        return std::ranges::any_of(items, [name](const auto& item) { return item.name == name; });
    };
    return any(function.general) || any(function.addresses) || any(function.predicates) ||
           any(function.samplers) || any(function.surfaces);
}

// One space of names. All names that are wanted are in it before the first is changed, so that nobody is
// given one that a later item has.
class Space {
public:
    Space(size_t longest, std::vector<NameChange>& changes) : longest_(longest), changes_(changes) {}

    void predefine(std::string_view name) { states_[number(name)].owner = Owner::predefined; }
    [[nodiscard]] bool has(std::string_view name) const { return names_.find(name) != NameMap::none; }

    template <class Items>
    void note(const Items& items) {
        for (const auto& item : items) {
            if (!item.name.empty())
                static_cast<void>(number(item.name));
        }
    }
    // `first` is the id of the first item, `fallback` the format of the name of one that has none.
    template <class Items>
    void settle(Items& items, uint32_t first, const char* fallback) {
        for (uint32_t index = 0; index < items.size(); ++index) {
            auto& item = items[index];
            if (item.name.empty()) {
                std::string name = fmt::format(fmt::runtime(fallback), first + index);
                change(item, NameFault::none, has(name) ? numbered(name) : taken(std::move(name)));
                continue;
            }
            Owner& owner = states_[names_.find(item.name)].owner;
            if (owner == Owner::nobody)
                owner = Owner::declared;
            else
                change(item, owner == Owner::declared ? NameFault::twice : NameFault::predefined,
                       numbered(item.name));
        }
    }

private:
    enum class Owner : uint8_t { nobody, declared, predefined };
    struct State {
        Owner owner = Owner::nobody;
        uint32_t next = 1; // the number to try behind the name
    };

    // `name` must outlive the space. That of an item does: the first item that has a name keeps it.
    uint32_t number(std::string_view name) {
        const uint32_t found = names_.add(name);
        if (found == states_.size())
            states_.emplace_back();
        return found;
    }
    std::string taken(std::string name) {
        states_[number(kept_.emplace_back(name))].owner = Owner::declared;
        return name;
    }
    std::string numbered(std::string_view name) {
        // Long names that begin alike share their numbers.
        const std::string_view begin = name.substr(0, longest_ - longest_number);
        const uint32_t base = has(begin) ? names_.find(begin) : number(kept_.emplace_back(begin));
        for (;;) {
            std::string candidate = fmt::format("{}_{}", begin, states_[base].next++);
            if (!has(candidate))
                return taken(std::move(candidate));
        }
    }
    template <class Item>
    void change(Item& item, NameFault fault, std::string name) {
        changes_.push_back({fault, std::exchange(item.name, name), std::move(name), item.where});
    }

    size_t longest_;
    std::vector<NameChange>& changes_;
    NameMap names_;
    std::vector<State> states_; // by the name's number
    std::deque<std::string> kept_;
};

void settle_variables(Function& function, size_t longest, std::vector<NameChange>& changes) {
    Space space(longest, changes);
    for (const isa::PredefinedVariable& variable : isa::predefined_variables)
        space.predefine(variable.name);
    for (const char* surface : isa::predefined_surfaces)
        space.predefine(surface);
    if (is_declared(function, bindless_name) && uses_bindless_sampler(function))
        space.predefine(bindless_name);
    space.note(function.general);
    space.note(function.addresses);
    space.note(function.predicates);
    space.note(function.samplers);
    space.note(function.surfaces);
    space.settle(function.general, isa::first_user_general, "V{:04}");
    space.settle(function.addresses, 0, "A{}");
    space.settle(function.predicates, isa::first_user_predicate, "P{}");
    space.settle(function.samplers, 0, "S{}");
    space.settle(function.surfaces, isa::first_user_surface, "T{}");
}

} // namespace

std::vector<NameChange> make_names_unique(Function& function, size_t longest) {
    std::vector<NameChange> changes;
    settle_variables(function, longest, changes);
    Space labels(longest, changes);
    labels.note(function.labels);
    labels.settle(function.labels, 0, "L{}");
    return changes;
}

} // namespace visor
