// The mirror image of the Reader: what printing knows of a function (the spelling of its variables' and
// labels' names), and the members through which syntax.h spells operands. Writes into a string, decides
// nothing.
#pragma once

#include "module/module.h"
#include "text/names.h"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace visor::text {

// Every variable's and label's name as text can spell it, by id; made once for a function, whose names are
// unique (module/unique_names.h). Odd ones are quoted.
class SpelledNames {
public:
    explicit SpelledNames(const Function& function);

    [[nodiscard]] std::string_view variable(VariableClass klass, uint32_t id) const;
    [[nodiscard]] std::string_view label_use(uint32_t id) const { return at(label_uses_, id, "?"); }
    [[nodiscard]] std::string_view label_definition(uint32_t id) const {
        return at(label_definitions_, id, "?");
    }

private:
    using Table = std::vector<std::string_view>;
    [[nodiscard]] static std::string_view at(const Table& table, uint32_t index, std::string_view otherwise) {
        return index < table.size() ? table[index] : otherwise;
    }
    template <class Variables>
    void spell(const Variables& variables, VariableClass klass);
    void spell_labels(const Function& function);

    Table tables_[5]; // by class
    Table label_uses_;
    Table label_definitions_;
    std::deque<std::string> made_;
};

// `text` in quotes, with escapes.
[[nodiscard]] std::string quoted(std::string_view text);

class Writer {
public:
    static constexpr bool reading = false;

    // Without the table every name is taken from the function as it is: for single instructions.
    Writer(std::string& out, const Function& printed, const SpelledNames* names)
        : function(printed), out_(out), names_(names) {}

    const Function& function;
    bool explicit_alignment = false; // the text's version wants svm_block_ld.aligned spelled out

    // Whether one instruction is printed, for a message or a trace.
    [[nodiscard]] bool single() const { return names_ == nullptr; }
    void text(std::string_view spelling) { out_ += spelling; }
    void decimal(int64_t value);
    void hex(uint64_t value);
    void name(VariableClass klass, uint32_t id);
    void label(uint32_t id);
    void label_definition(uint32_t id);
    void quoted_label(uint32_t id);
    void string(uint32_t index, bool bare_if_possible);
    // Blanks between operands: one in front of each.
    void separate() { out_ += ' '; }

    // ---- what syntax.h walks
    bool mark(char c) {
        out_ += c;
        return true;
    }
    bool mark_then_blank(char c) {
        out_ += c;
        out_ += ' ';
        return true;
    }
    bool close_destination() { return mark('>'); }
    bool number(int64_t value, int64_t /*lowest*/, int64_t /*highest*/, std::string_view /*what*/) {
        decimal(value);
        return true;
    }
    bool type_suffix(isa::Type type);
    bool region_part(uint8_t value, std::string_view /*what*/) {
        decimal(value == region_absent ? 0 : value);
        return true;
    }
    bool any_region(const Region& region);
    bool lanes(uint8_t value) {
        decimal(value);
        return true;
    }
    bool raw_offset(int32_t value) {
        decimal(value);
        return true;
    }
    [[nodiscard]] bool ahead(char /*c*/) const { return true; }
    [[nodiscard]] bool optional_mark(char c, bool present) { return present && mark(c); }
    [[nodiscard]] bool optional_part(bool /*ahead*/, bool present) { return present; }

private:
    std::string& out_;
    const SpelledNames* names_;
};

} // namespace visor::text
