// The names of one function's variables: what a spelling means at a place, with scopes that `{ }` opens.
// Scopes may hide one variable behind another of the name; at the function's end module/unique_names.h tells
// them apart.
#pragma once

#include "diagnostic/location.h"
#include "module/name_map.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace visor::text {

enum class VariableClass : uint8_t { general, address, predicate, sampler, surface, unknown };
[[nodiscard]] std::string_view describe(VariableClass klass); // "a general variable"

struct Symbol {
    VariableClass klass = VariableClass::unknown; // unknown: an error was reported, say no more
    bool predefined = false;
    uint32_t id = 0; // vISA's
    Location where;
};

class Names {
public:
    static constexpr size_t scopes_of_function = 2; // what is predefined, and the function's own

    // Forgets everything but what needs no declaration.
    void start_function();
    void open_scope(Location where) { scopes_.push_back({static_cast<uint32_t>(entries_.size()), where}); }
    void close_scope();
    [[nodiscard]] size_t open_scopes() const { return scopes_.size(); }
    [[nodiscard]] Location innermost() const { return scopes_.back().where; }

    // A name as a number, for several questions about it. `name` must outlive the function.
    [[nodiscard]] uint32_t number(std::string_view name);

    // nullptr when unknown. Valid until the next declaration.
    [[nodiscard]] const Symbol* find(std::string_view name) const;
    [[nodiscard]] const Symbol* find(uint32_t number) const;
    // A symbol of this name that the innermost scope has already.
    [[nodiscard]] const Symbol* find_in_scope(uint32_t number) const;
    void declare(uint32_t number, const Symbol& symbol);
    // What is visible, for suggestions: of one class, or of all (`unknown`). The documentation's names of
    // surfaces and samplers are not among it: they look like everybody's.
    [[nodiscard]] std::vector<std::string_view> visible(VariableClass klass) const;

private:
    static constexpr uint32_t none = UINT32_MAX;
    struct Entry {
        uint32_t name;
        uint32_t hidden = none; // the entry of this name in an outer scope
        Symbol symbol;
    };
    struct Scope {
        uint32_t first; // of its entries
        Location where;
    };

    std::vector<Entry> entries_;
    std::vector<Scope> scopes_;
    NameMap names_;
    std::vector<uint32_t> latest_; // the entry that is visible, by the name's number
};

} // namespace visor::text
