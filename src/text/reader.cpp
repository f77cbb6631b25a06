#include "text/reader.h"

#include <fmt/format.h>

namespace visor::text {

bool unknown_type(Lexer& lex, std::string_view name, Location where) {
    return lex.error(where, "unknown-type",
                     fmt::format("no type is called `{}`; there are ud d uw w ub b uq q df f hf bf", name));
}

void Reader::start_function(FunctionKind kind, std::string_view name, Location where) {
    function = &module.functions.emplace_back();
    function->from_compiler = options.from_compiler;
    function->kind = kind;
    function->name = name;
    function->where = where;
    names.start_function();
    attributes_.clear();
    labels_.clear();
    strings_.clear();
}

const Attribute* Reader::note_attribute() {
    const std::vector<Attribute>& all = function->attributes;
    const auto [first, added] = attributes_.try_emplace(all.back().name, all.size() - 1);
    return added ? nullptr : &all[first->second];
}

const Attribute* Reader::attribute(std::string_view name) const {
    const auto found = attributes_.find(name);
    return found == attributes_.end() ? nullptr : &function->attributes[found->second];
}

void Reader::unknown_variable(std::string_view name, Location where, VariableClass likely) {
    const std::string hint = lex.gives_hints() ? did_you_mean(name, names.visible(likely)) : "";
    lex.error(where, "undeclared-variable", fmt::format("`{}` is not declared{}", name, hint));
    names.declare(names.number(name), {VariableClass::unknown, false, 0, where});
}

std::optional<std::string_view> Reader::name_or_string(std::string_view what, std::string_view hint) {
    lex.skip_blanks();
    if (lex.peek() == '"')
        return lex.string();
    const std::string_view name = lex.name();
    if (!name.empty())
        return name;
    lex.expected(what, hint);
    return std::nullopt;
}

bool Reader::named(std::string_view name, Location where) {
    return !name.empty() || lex.error(where, "empty-name", "a name has at least one character");
}

const Symbol* Reader::variable(std::string_view what, Location& where, VariableClass likely) {
    lex.skip_blanks();
    const uint32_t start = lex.offset();
    std::string_view name;
    if (lex.peek() == '"') {
        const std::optional<std::string_view> string = lex.string();
        if (!string.has_value() || !named(*string, lex.since(start)))
            return nullptr;
        name = *string;
    } else {
        name = lex.name_or_builtin();
    }
    where = lex.since(start);
    if (name.empty()) {
        lex.expected(what);
        return nullptr;
    }
    const Symbol* symbol = names.find(name);
    if (symbol == nullptr) {
        unknown_variable(name, where, likely);
        symbol = names.find(name);
    }
    return symbol;
}

const Symbol* Reader::variable_of(VariableClass klass, Location& where, VariableClass or_this) {
    const Symbol* symbol = variable(describe(klass), where, klass);
    if (symbol == nullptr || symbol->klass == klass || symbol->klass == VariableClass::unknown ||
        (symbol->klass == or_this && or_this != VariableClass::unknown))
        return symbol;
    Diagnostic& error = lex.diagnostics().error(where, "wrong-variable-class",
                                                fmt::format("expected {}, but `{}` is {}", describe(klass),
                                                            lex.text(where), describe(symbol->klass)));
    if (!symbol->predefined)
        error.notes.push_back({symbol->where, "declared here"});
    return nullptr;
}

uint32_t Reader::label(std::string_view name, LabelKind kind, Location where) {
    const uint32_t id = labels_.add(name);
    if (id == function->labels.size()) {
        const bool divergent =
            kind == LabelKind::block && name.find("__opt_resource_loo") != std::string_view::npos;
        const LabelKind actual = divergent ? LabelKind::divergent_resource_loop : kind;
        function->labels.push_back({std::string(name), actual, where, false});
    } else if (kind != LabelKind::block) {
        function->labels[id].kind = kind;
    }
    return id;
}

uint32_t Reader::string_index(std::string_view string) {
    const uint32_t index = strings_.add(string);
    if (index == function->strings.size())
        function->strings.emplace_back(string);
    return index;
}

bool Reader::mark(char c) {
    if (lex.accept(c))
        return true;
    const char spelling[] = {'`', c, '`'};
    return lex.expected({spelling, sizeof spelling});
}

bool Reader::close_destination() {
    if (ahead(';') || ahead(','))
        return lex.error(lex.next_token(), "syntax",
                         "a destination has only a horizontal stride, such as <1>");
    return mark('>');
}

bool Reader::type_suffix(isa::Type& type) {
    if (!lex.accept(':'))
        return lex.expected("a type, such as `:d`");
    lex.skip_blanks();
    const uint32_t start = lex.offset();
    const std::string_view name = lex.name();
    if (name.empty())
        return lex.expected("a type, such as `d`");
    const std::optional<isa::Type> found = isa::type_named(name);
    if (!found.has_value())
        return unknown_type(lex, name, lex.since(start));
    type = *found;
    return true;
}

bool Reader::region_part(uint8_t& value, std::string_view what) {
    lex.skip_blanks();
    const uint32_t start = lex.offset();
    if (!number(value, 0, 32, what))
        return false;
    if (value == 0 || (value & (value - 1U)) == 0)
        return true;
    return lex.error(lex.since(start), "bad-region",
                     fmt::format("{} must be 0, 1, 2, 4, 8, 16 or 32, not {}", what, value));
}

bool Reader::any_region(Region& region) {
    uint8_t first = 0;
    region = {};
    if (!mark('<') || !region_part(first, "a stride"))
        return false;
    if (lex.accept(';')) {
        region.vertical = first;
        return region_part(region.width, "a width") && mark(',') &&
               region_part(region.horizontal, "a horizontal stride") && mark('>');
    }
    if (lex.accept(',')) {
        region.width = first;
        return region_part(region.horizontal, "a horizontal stride") && mark('>');
    }
    region.horizontal = first;
    return mark('>');
}

bool Reader::lanes(uint8_t& value) {
    lex.skip_blanks();
    const uint32_t start = lex.offset();
    const std::optional<int64_t> count = expression(Precedence::shift);
    if (!count.has_value())
        return false;
    value = static_cast<uint8_t>(*count);
    if (*count >= 1 && *count <= 32 && (*count & (*count - 1)) == 0)
        return true;
    return lex.error(lex.since(start), "bad-exec-size",
                     fmt::format("a number of lanes is 1, 2, 4, 8, 16 or 32, not {}", *count));
}

bool Reader::raw_offset(int32_t& value) {
    constexpr int64_t most = 65535; // what a binary holds
    lex.skip_blanks();
    const uint32_t start = lex.offset();
    if (!is(lex.peek(), digit) && lex.peek() != '(')
        return lex.expected("a byte offset");
    const std::optional<int64_t> offset = primary("a byte offset");
    value = static_cast<int32_t>(offset.value_or(0));
    if (!offset.has_value() || (*offset >= 0 && *offset <= most))
        return offset.has_value();
    return lex.error(lex.since(start), "number-out-of-range", fmt::format("a byte offset is 0 to {}", most));
}

} // namespace visor::text
