#include "text/names.h"

#include "isa/predefined.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

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
    known_.clear();
    made_.clear();
    const auto predefine = [this](std::string_view name, VariableClass klass, uint32_t id) {
        const uint32_t number = this->number(name);
        declare(number, {klass, true, id, {}});
        known_[number].next = 1;
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
        known_[entry.name].latest = entry.hidden;
        entries_.pop_back();
    }
    scopes_.pop_back();
}

uint32_t Names::number(std::string_view name) {
    const uint32_t number = names_.add(name);
    if (number == known_.size())
        known_.emplace_back();
    return number;
}

const Symbol* Names::find(std::string_view name) const {
    const uint32_t number = names_.find(name);
    return number == NameMap::none ? nullptr : find(number);
}

const Symbol* Names::find(uint32_t number) const {
    const uint32_t entry = known_[number].latest;
    return entry == none ? nullptr : &entries_[entry].symbol;
}

const Symbol* Names::find_in_scope(uint32_t number) const {
    const uint32_t entry = known_[number].latest;
    const bool here = entry != none && !scopes_.empty() && entry >= scopes_.back().first;
    return here ? &entries_[entry].symbol : nullptr;
}

void Names::declare(uint32_t number, const Symbol& symbol) {
    const auto index = static_cast<uint32_t>(entries_.size());
    entries_.push_back({number, known_[number].latest, symbol});
    known_[number].latest = index;
}

std::string Names::unique(uint32_t number) {
    const std::string_view name = names_[number];
    if (std::exchange(known_[number].next, std::max(known_[number].next, 1U)) == 0)
        return std::string(name);
    for (;;) {
        std::string candidate = fmt::format("{}_{}", name, known_[number].next++);
        const uint32_t taken = names_.find(candidate);
        if (taken != NameMap::none && known_[taken].next != 0)
            continue;
        known_[this->number(made_.emplace_back(candidate))].next = 1;
        return candidate;
    }
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
