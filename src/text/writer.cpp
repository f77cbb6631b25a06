#include "text/writer.h"

#include "text/lexer.h"

#include <charconv>

#include <fmt/format.h>

namespace visor::text {

namespace {

// The compiler's own names for what has none.
std::string fallback_name(VariableClass klass, size_t index) {
    switch (klass) {
    case VariableClass::general:
        return fmt::format("V{:04}", index + isa::first_user_general);
    case VariableClass::address:
        return fmt::format("A{}", index);
    case VariableClass::predicate:
        return fmt::format("P{}", index + isa::first_user_predicate);
    case VariableClass::sampler:
        return fmt::format("S{}", index);
    default:
        return fmt::format("T{}", index + isa::first_user_surface);
    }
}

uint32_t first_id(VariableClass klass) {
    switch (klass) {
    case VariableClass::general:
        return isa::first_user_general;
    case VariableClass::predicate:
        return isa::first_user_predicate;
    case VariableClass::surface:
        return isa::first_user_surface;
    default:
        return 0;
    }
}

} // namespace

std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            result += '\\';
            result += c;
        } else if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') {
            result += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
        } else {
            result += c;
        }
    }
    return result += '"';
}

template <class Variables>
void SpelledNames::spell(const Variables& variables, VariableClass klass) {
    Table& table = tables_[static_cast<size_t>(klass)];
    table.reserve(variables.size());
    for (const auto& variable : variables)
        table.push_back(is_name(variable.name) ? variable.name : made_.emplace_back(quoted(variable.name)));
}

void SpelledNames::spell_labels(const Function& function) {
    for (const Label& label : function.labels) {
        const std::string_view in_quotes =
            is_name(label.name) ? label.name : made_.emplace_back(quoted(label.name));
        label_uses_.push_back(in_quotes);
        label_definitions_.push_back(is_label(label.name) ? label.name : in_quotes);
    }
}

SpelledNames::SpelledNames(const Function& function) {
    spell(function.general, VariableClass::general);
    spell(function.addresses, VariableClass::address);
    spell(function.predicates, VariableClass::predicate);
    spell(function.samplers, VariableClass::sampler);
    spell(function.surfaces, VariableClass::surface);
    spell_labels(function);
}

std::string_view SpelledNames::variable(VariableClass klass, uint32_t id) const {
    if (klass >= VariableClass::unknown) // only damaged modules
        return "?";
    const uint32_t first = first_id(klass);
    if (id >= first)
        return at(tables_[static_cast<size_t>(klass)], id - first,
                  klass == VariableClass::sampler && id == isa::bindless_sampler ? "S31" : "?");
    if (klass == VariableClass::general && id < isa::predefined_count)
        return isa::predefined_variables[id].name;
    return klass == VariableClass::surface ? isa::predefined_surfaces[id] : "?";
}

void Writer::name(VariableClass klass, uint32_t id) {
    if (names_ != nullptr) {
        out_ += names_->variable(klass, id);
        return;
    }
    const uint32_t first = first_id(klass);
    const auto of = [&](const auto& variables) {
        const bool there =
            id >= first && id - first < variables.size() && !variables[id - first].name.empty();
        return there ? variables[id - first].name : fallback_name(klass, id - first);
    };
    std::string name;
    switch (klass) {
    case VariableClass::general:
        name = general_name(function, id);
        break;
    case VariableClass::address:
        name = of(function.addresses);
        break;
    case VariableClass::predicate:
        name = of(function.predicates);
        break;
    case VariableClass::sampler:
        name = of(function.samplers);
        break;
    default:
        name = surface_name(function, id);
        break;
    }
    const bool predefined = id < first && klass != VariableClass::predicate;
    out_ += predefined || is_name(name) ? name : quoted(name);
}

void Writer::label(uint32_t id) {
    if (names_ != nullptr) {
        out_ += names_->label_use(id);
        return;
    }
    const std::string_view name =
        id < function.labels.size() ? std::string_view(function.labels[id].name) : "?";
    out_ += is_name(name) ? std::string(name) : quoted(name);
}

void Writer::label_definition(uint32_t id) {
    if (names_ != nullptr)
        out_ += names_->label_definition(id);
    else
        label(id);
}

void Writer::quoted_label(uint32_t id) {
    const size_t start = out_.size();
    label(id);
    if (out_.size() == start || out_[start] != '"') {
        out_.insert(start, 1, '"');
        out_ += '"';
    }
}

void Writer::decimal(int64_t value) {
    char digits[24];
    const auto stop = std::to_chars(digits, digits + sizeof digits, value).ptr;
    out_.append(digits, stop);
}

void Writer::hex(uint64_t value) {
    char digits[20] = {'0', 'x'};
    const auto stop = std::to_chars(digits + 2, digits + sizeof digits, value, 16).ptr;
    out_.append(digits, stop);
}

void Writer::string(uint32_t index, bool bare_if_possible) {
    const std::string_view text =
        index < function.strings.size() ? std::string_view(function.strings[index]) : "";
    if (bare_if_possible && is_name(text))
        out_ += text;
    else
        out_ += quoted(text);
}

bool Writer::type_suffix(isa::Type type) {
    out_ += ':';
    out_ += isa::facts(type).name;
    return true;
}

bool Writer::any_region(const Region& region) {
    out_ += '<';
    if (region.vertical != region_absent) {
        decimal(region.vertical);
        out_ += ';';
    }
    if (region.width != region_absent) {
        decimal(region.width);
        out_ += ',';
    }
    decimal(region.horizontal);
    out_ += '>';
    return true;
}

} // namespace visor::text
