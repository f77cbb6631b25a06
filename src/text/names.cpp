#include "text/names.h"

#include "isa/predefined.h"

#include <fmt/format.h>

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
    latest_.clear();
    kept_.clear();
    made_.clear();
    const auto predefine = [this](std::string_view name, VariableClass klass, uint32_t id) {
        declare(name, {klass, true, id, {}});
        kept_.emplace(name, 1);
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
        declare(name, symbol);
    }
    declare("S31", {VariableClass::sampler, true, isa::bindless_sampler, {}});
    open_scope({});
}

void Names::close_scope() {
    while (entries_.size() > scopes_.back().first) {
        const Entry& entry = entries_.back();
        if (entry.hidden == none)
            latest_.erase(entry.name);
        else
            latest_[entry.name] = entry.hidden;
        entries_.pop_back();
    }
    scopes_.pop_back();
}

const Symbol* Names::find(std::string_view name) const {
    const auto found = latest_.find(name);
    return found == latest_.end() ? nullptr : &entries_[found->second].symbol;
}

const Symbol* Names::find_in_scope(std::string_view name) const {
    const auto found = latest_.find(name);
    const bool here = found != latest_.end() && !scopes_.empty() && found->second >= scopes_.back().first;
    return here ? &entries_[found->second].symbol : nullptr;
}

void Names::declare(std::string_view name, const Symbol& symbol) {
    const auto index = static_cast<uint32_t>(entries_.size());
    const auto [place, fresh] = latest_.try_emplace(name, index);
    entries_.push_back({name, fresh ? none : place->second, symbol});
    place->second = index;
}

std::string Names::unique(std::string_view name) {
    const auto [place, fresh] = kept_.try_emplace(name, 1);
    if (fresh)
        return std::string(name);
    for (;;) {
        std::string candidate = fmt::format("{}_{}", name, place->second++);
        if (kept_.contains(candidate))
            continue;
        kept_.emplace(made_.emplace_back(candidate), 1);
        return candidate;
    }
}

std::vector<std::string_view> Names::visible(VariableClass klass) const {
    std::vector<std::string_view> names;
    names.reserve(latest_.size());
    for (const Entry& entry : entries_) {
        const Symbol& symbol = entry.symbol;
        const bool of_class = klass == VariableClass::unknown || symbol.klass == klass;
        if (symbol.klass != VariableClass::unknown && of_class &&
            (!symbol.predefined || entry.name.starts_with('%')))
            names.push_back(entry.name);
    }
    return names;
}

} // namespace visor::text
