#include "compare/naming.h"

#include <algorithm>

namespace visor::compare {

namespace {

size_t count_of(const Function& function, Space space) {
    switch (space) {
    case Space::general:
        return isa::first_user_general + function.general.size();
    case Space::address:
        return function.addresses.size();
    case Space::predicate:
        return isa::first_user_predicate + function.predicates.size();
    case Space::sampler:
        return function.samplers.size();
    case Space::surface:
        return isa::first_user_surface + function.surfaces.size();
    case Space::label:
        return function.labels.size();
    case Space::string:
        return function.strings.size();
    }
    return 0;
}

bool same_attributes(const std::vector<Attribute>& first, const std::vector<Attribute>& second) {
    return std::ranges::equal(first, second,
                              [](const Attribute& a, const Attribute& b) { return a.same(b); });
}

bool alike_others(const OtherVariable& first, const OtherVariable& second) {
    return first.elements == second.elements && same_attributes(first.attributes, second.attributes);
}

bool alike_generals(const GeneralVariable& first, const GeneralVariable& second) {
    return uint64_t{first.elements} * isa::size_of(first.type) ==
               uint64_t{second.elements} * isa::size_of(second.type) &&
           first.align == second.align && same_attributes(first.attributes, second.attributes);
}

// A label of a function is known by its name; one of the code by its place.
bool alike_labels(const Label& first, const Label& second) {
    const bool named = first.kind == LabelKind::fc || first.kind == LabelKind::function || !first.defined;
    return first.kind == second.kind && first.defined == second.defined &&
           (!named || first.name == second.name);
}

} // namespace

Naming::Naming(const Canonical& first, const Canonical& second)
    : first_(*first.function), second_(*second.function) {
    for (size_t space = 0; space < space_count; ++space) {
        to_second_[space].resize(count_of(first_, static_cast<Space>(space)), none);
        to_first_[space].resize(count_of(second_, static_cast<Space>(space)), none);
    }
}

uint32_t Naming::counterpart(bool of_first, Name name) const {
    return (of_first ? to_second_ : to_first_)[static_cast<size_t>(name.space)][name.id];
}

bool Naming::alike(Name first, Name second) const {
    if (first.space != second.space)
        return false;
    const bool fixed = is_fixed(first_, first);
    if (fixed || is_fixed(second_, second))
        return fixed && is_fixed(second_, second) && first.id == second.id;
    switch (first.space) {
    case Space::general:
        return alike_generals(first_.general[first.id - isa::first_user_general],
                              second_.general[second.id - isa::first_user_general]);
    case Space::address:
        return alike_others(first_.addresses[first.id], second_.addresses[second.id]);
    case Space::predicate:
        return alike_others(first_.predicates[first.id - isa::first_user_predicate],
                            second_.predicates[second.id - isa::first_user_predicate]);
    case Space::sampler:
        return alike_others(first_.samplers[first.id], second_.samplers[second.id]);
    case Space::surface:
        return alike_others(first_.surfaces[first.id - isa::first_user_surface],
                            second_.surfaces[second.id - isa::first_user_surface]);
    case Space::label:
        return alike_labels(first_.labels[first.id], second_.labels[second.id]);
    case Space::string:
        return first_.strings[first.id] == second_.strings[second.id];
    }
    return false;
}

bool Naming::is_free(Name first, Name second) const {
    return first.space == second.space && !is_fixed(first_, first) && !is_fixed(second_, second) &&
           counterpart(true, first) == none && counterpart(false, second) == none;
}

bool Naming::stands_for(Name first, Name second) const {
    if (is_fixed(first_, first) || is_fixed(second_, second))
        return alike(first, second);
    return first.space == second.space && counterpart(true, first) == second.id &&
           counterpart(false, second) == first.id;
}

void Naming::set(Name first, Name second, uint32_t first_is, uint32_t second_is) {
    to_second_[static_cast<size_t>(first.space)][first.id] = first_is;
    to_first_[static_cast<size_t>(second.space)][second.id] = second_is;
}

bool Naming::agrees(std::span<const Name> first, std::span<const Name> second) {
    if (first.size() != second.size())
        return false;
    // Names that were free are bound until the last one is seen: one may come twice.
    std::vector<size_t> bound;
    bool agree = true;
    for (size_t i = 0; i < first.size() && agree; ++i) {
        const Name a = first[i];
        const Name b = second[i];
        if (is_free(a, b)) {
            agree = alike(a, b);
            set(a, b, b.id, a.id);
            bound.push_back(i);
        } else {
            agree = stands_for(a, b);
        }
    }
    for (const size_t i : bound)
        set(first[i], second[i], none, none);
    return agree;
}

void Naming::bind(std::span<const Name> first, std::span<const Name> second) {
    for (size_t i = 0; i < std::min(first.size(), second.size()); ++i)
        if (is_free(first[i], second[i]))
            set(first[i], second[i], second[i].id, first[i].id);
}

} // namespace visor::compare
