#include "text/names.h"

#include "isa/predefined.h"

namespace visor::text {

std::string_view describe(VariableClass klass) {
    switch (klass) {
    case VariableClass::general:
        return "a general variable";
    case VariableClass::address:
        return "an address variable";
    case VariableClass::predicate:
        return "a predicate";
    case VariableClass::sampler:
        return "a sampler";
    case VariableClass::surface:
        return "a surface";
    case VariableClass::unknown:
        break;
    }
    return "a variable";
}

void Names::start_function() {
    entries_.clear();
    scopes_.clear();
    names_.clear();
    latest_.clear();
    const auto predefine = [this](std::string_view name, VariableClass klass, uint32_t id) {
        declare(number(name), {klass, true, id, {}});
    };
    for (uint32_t id = 0; id < isa::predefined_count; ++id)
        predefine(isa::predefined_variables[id].name, VariableClass::general, id);
    for (uint32_t id = 0; id < isa::first_user_surface; ++id)
        predefine(isa::predefined_surfaces[id], VariableClass::surface, id);
    open_scope({});
    // The documentation's names of surfaces (isa/predefined.h) give way to declarations: below the kernel's
    // scope.
    for (const std::string_view name : {"T0", "T3", "T4", "T5"}) {
        const Symbol symbol{VariableClass::surface, true, *isa::predefined_surface(name), {}};
        declare(number(name), symbol);
    }
    declare(number("S31"), {VariableClass::sampler, true, isa::bindless_sampler, {}});
    open_scope({});
}

void Names::close_scope() {
    while (entries_.size() > scopes_.back().first) {
        const Entry& entry = entries_.back();
        latest_[entry.name] = entry.hidden;
        entries_.pop_back();
    }
    scopes_.pop_back();
}

uint32_t Names::number(std::string_view name) {
    const uint32_t number = names_.add(name);
    if (number == latest_.size())
        latest_.push_back(none);
    return number;
}

const Symbol* Names::find(std::string_view name) const {
    const uint32_t number = names_.find(name);
    return number == NameMap::none ? nullptr : find(number);
}

const Symbol* Names::find(uint32_t number) const {
    const uint32_t entry = latest_[number];
    return entry == none ? nullptr : &entries_[entry].symbol;
}

const Symbol* Names::find_in_scope(uint32_t number) const {
    const uint32_t entry = latest_[number];
    const bool here = entry != none && !scopes_.empty() && entry >= scopes_.back().first;
    return here ? &entries_[entry].symbol : nullptr;
}

void Names::declare(uint32_t number, const Symbol& symbol) {
    const auto index = static_cast<uint32_t>(entries_.size());
    entries_.push_back({number, latest_[number], symbol});
    latest_[number] = index;
}

std::vector<std::string_view> Names::visible(VariableClass klass) const {
    std::vector<std::string_view> names;
    for (const Entry& entry : entries_) {
        const Symbol& symbol = entry.symbol;
        const bool of_class = klass == VariableClass::unknown || symbol.klass == klass;
        if (symbol.klass != VariableClass::unknown && of_class &&
            (!symbol.predefined || names_[entry.name].starts_with('%')))
            names.push_back(names_[entry.name]);
    }
    return names;
}

} // namespace visor::text
