#include "text/declarations.h"

#include "module/canonical.h"
#include "text/syntax.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace visor::text {

namespace {

// ---- alignment

struct AlignSpelling {
    std::string_view name;
    Align align;
};
// The first of an alignment is the one printed.
constexpr std::array align_spellings{
    AlignSpelling{"byte", Align::byte},     AlignSpelling{"word", Align::word},
    AlignSpelling{"dword", Align::dword},   AlignSpelling{"qword", Align::qword},
    AlignSpelling{"oword", Align::oword},   AlignSpelling{"GRF", Align::grf},
    AlignSpelling{"GRFx2", Align::grf2},    AlignSpelling{"2GRF", Align::grf2},
    AlignSpelling{"hword", Align::hword},   AlignSpelling{"wordx32", Align::word32},
    AlignSpelling{"32word", Align::word32}, AlignSpelling{"wordx64", Align::word64},
    AlignSpelling{"64word", Align::word64},
};
constexpr std::array align_of_power{Align::byte,  Align::word,  Align::dword,  Align::qword,
                                    Align::oword, Align::hword, Align::word32, Align::word64};

bool read_align(Reader& reader, Align& align) {
    Lexer& lex = reader.lex;
    lex.skip_blanks();
    for (const AlignSpelling& spelling : align_spellings) {
        if (lex.accept_word(spelling.name)) {
            align = spelling.align;
            return true;
        }
    }
    const uint32_t start = lex.offset();
    if (is(lex.peek(), name_start)) {
        const std::string_view name = lex.name();
        std::vector<std::string_view> names;
        for (const AlignSpelling& spelling : align_spellings)
            names.push_back(spelling.name);
        return lex.error(lex.since(start), "bad-align",
                         fmt::format("no alignment is called `{}`{}", name, did_you_mean(name, names)));
    }
    const std::optional<int64_t> bytes = reader.expression(Precedence::shift);
    if (!bytes.has_value())
        return false;
    for (size_t power = 0; power < align_of_power.size(); ++power) {
        if (*bytes == int64_t{1} << power) {
            align = align_of_power[power];
            return true;
        }
    }
    return lex.error(lex.since(start), "bad-align", "an alignment in bytes is 1, 2, 4, 8, 16, 32, 64 or 128");
}

std::string_view spelling_of(Align align) {
    const auto found = std::ranges::find(align_spellings, align, &AlignSpelling::align);
    return found->name;
}

// ---- .decl

// The `key=value` parts of a declaration, in any order.
constexpr std::array part_keys =
    std::to_array<std::string_view>({"v_type", "type", "num_elts", "align", "alias", "v_name", "attrs"});

struct Parts {
    VariableClass klass = VariableClass::unknown;
    GeneralVariable general; // what the other classes have as well stands here too
    std::string v_name;
    std::array<bool, part_keys.size()> seen{};
    bool is_null = false; // an alias of the null variable: its name is one more for that
    Location type_where, elements_where, align_where, alias_where, v_name_where; // length 0: not there
};

bool read_class(Reader& reader, Parts& parts) {
    constexpr std::string_view letters = "GAPST";
    const Location where = reader.lex.next_token();
    const std::string_view letter = reader.lex.name();
    const size_t index = letter.size() == 1 ? letters.find(letter) : std::string_view::npos;
    if (index == std::string_view::npos)
        return reader.lex.error(where, "syntax", "expected `G`, `A`, `P`, `S` or `T` as `v_type`");
    parts.klass = static_cast<VariableClass>(index);
    return true;
}

bool read_type(Reader& reader, Parts& parts) {
    const Location where = reader.lex.next_token();
    const std::string_view name = reader.lex.name();
    if (name.empty())
        return reader.lex.expected("a type");
    const std::optional<isa::Type> type = isa::type_named(name);
    if (!type.has_value())
        return unknown_type(reader.lex, name, where);
    if (isa::size_of(*type) == 0 || isa::is_packed_immediate(*type))
        return reader.lex.error(where, "bad-declaration",
                                fmt::format("a variable cannot have the type `{}`", name));
    parts.general.type = *type;
    parts.type_where = where;
    return true;
}

bool read_elements(Reader& reader, Parts& parts) {
    constexpr int64_t most = 65535; // the width of the count in a binary
    reader.lex.skip_blanks();
    const uint32_t start = reader.lex.offset();
    const std::optional<int64_t> count = reader.expression();
    if (!count.has_value())
        return false;
    parts.elements_where = reader.lex.since(start);
    if (*count < 1 || *count > most) {
        reader.lex.error(parts.elements_where, "num-elts",
                         fmt::format("num_elts must be 1 to {}, not {}", most, *count));
        parts.general.elements = 1;
        return true; // the variable is there all the same
    }
    parts.general.elements = static_cast<uint32_t>(*count);
    return true;
}

bool read_alias(Reader& reader, Parts& parts, std::string_view name) {
    Lexer& lex = reader.lex;
    if (!reader.mark('<'))
        return false;
    const Location where = lex.next_token();
    if (lex.text(where) == name && reader.names.find(name) == nullptr)
        return lex.error(where, "alias-loop", fmt::format("`{}` cannot be an alias of itself", name));
    Location found;
    const Symbol* symbol = reader.variable_of(VariableClass::general, found);
    if (symbol == nullptr)
        return false;
    // Itself or through another alias it shares what is read as zero and written nowhere.
    parts.is_null = symbol->klass == VariableClass::general && symbol->id == isa::id(isa::Predefined::null);
    parts.general.alias = symbol->id;
    parts.alias_where = found;
    const bool good = reader.mark(',') &&
                      reader.number(parts.general.alias_offset, 0, 65535, "the offset of an alias") &&
                      reader.mark('>');
    if (parts.is_null)
        parts.general.alias_offset = 0; // of nothing
    return good;
}

bool read_v_name(Reader& reader, Parts& parts) {
    parts.v_name_where = reader.lex.next_token();
    const std::optional<std::string_view> name = reader.name_or_string("a name");
    parts.v_name = name.value_or("");
    return name.has_value();
}

bool read_part(Reader& reader, Parts& parts, std::string_view name) {
    Lexer& lex = reader.lex;
    const Location where = lex.next_token();
    const std::string_view key = lex.name();
    const auto known = std::ranges::find(part_keys, key);
    if (known == part_keys.end()) {
        if (key.empty())
            return lex.expected("a part of the declaration, such as `num_elts=1`");
        return lex.error(where, "syntax",
                         fmt::format("a declaration has no part `{}`{}", key,
                                     did_you_mean(key, {part_keys.begin(), part_keys.end()})));
    }
    if (!reader.mark('='))
        return false;
    const auto index = static_cast<size_t>(known - part_keys.begin());
    if (std::exchange(parts.seen[index], true))
        return lex.error(where, "duplicate-part", fmt::format("`{}=` is given twice", key));
    switch (index) {
    case 0:
        return read_class(reader, parts);
    case 1:
        return read_type(reader, parts);
    case 2:
        return read_elements(reader, parts);
    case 3:
        parts.align_where = where;
        return read_align(reader, parts.general.align);
    case 4:
        return read_alias(reader, parts, name);
    case 5:
        return read_v_name(reader, parts);
    default:
        return read_attribute_list(reader, parts.general.attributes);
    }
}

// Whether the parts are those of the class, with nothing left out.
bool complete(Reader& reader, const Parts& parts, Location name) {
    Lexer& lex = reader.lex;
    const auto missing = [&](std::string_view part) {
        return lex.error(name, "incomplete-declaration", fmt::format("this declaration has no `{}=`", part));
    };
    const auto foreign = [&](Location where, std::string_view part) {
        return lex.error(where, "bad-declaration",
                         fmt::format("{} has no `{}=`", describe(parts.klass), part));
    };
    const bool general = parts.klass == VariableClass::general;
    const bool state = parts.klass == VariableClass::sampler || parts.klass == VariableClass::surface;
    if (parts.klass == VariableClass::unknown)
        return missing("v_type");
    if (general && parts.type_where.length == 0)
        return missing("type");
    if (parts.elements_where.length == 0)
        return missing("num_elts");
    if (!general && parts.type_where.length != 0)
        return foreign(parts.type_where, "type");
    if (!general && parts.align_where.length != 0)
        return foreign(parts.align_where, "align");
    if (!general && parts.alias_where.length != 0)
        return foreign(parts.alias_where, "alias");
    if (!state && !parts.v_name.empty())
        return foreign(parts.v_name_where, "v_name");
    constexpr uint32_t most_lanes = 32;
    if (parts.klass == VariableClass::predicate && parts.general.elements > most_lanes)
        lex.error(parts.elements_where, "num-elts", "a predicate has at most 32 elements, one for each lane");
    const uint64_t bytes = uint64_t{parts.general.elements} * isa::size_of(parts.general.type);
    if (general && bytes > most_variable_bytes) {
        lex.error(parts.elements_where, "num-elts",
                  fmt::format("a variable has at most {} bytes, not {}", most_variable_bytes, bytes));
    }
    return true;
}

// Puts the variable into the function; its id.
uint32_t add(Function& function, VariableClass klass, Parts& parts) {
    if (klass == VariableClass::general) {
        function.general.push_back(std::move(parts.general));
        return isa::first_user_general + static_cast<uint32_t>(function.general.size() - 1);
    }
    OtherVariable variable{std::move(parts.general.name), parts.general.elements, std::move(parts.v_name),
                           std::move(parts.general.attributes), parts.general.where};
    const auto append = [&variable](std::vector<OtherVariable>& variables, uint32_t first) {
        variables.push_back(std::move(variable));
        return first + static_cast<uint32_t>(variables.size() - 1);
    };
    if (klass == VariableClass::address)
        return append(function.addresses, 0);
    if (klass == VariableClass::predicate)
        return append(function.predicates, isa::first_user_predicate);
    if (klass == VariableClass::sampler)
        return append(function.samplers, 0);
    return append(function.surfaces, isa::first_user_surface);
}

void report_duplicate(Reader& reader, std::string_view name, const Symbol& earlier, Location where) {
    Diagnostic& error =
        reader.lex.diagnostics().error(where, "duplicate-variable",
                                       earlier.predefined ? fmt::format("`{}` is predefined", name)
                                                          : fmt::format("`{}` is declared twice", name));
    if (!earlier.predefined)
        error.notes.push_back({earlier.where, "first declared here"});
}

// The earlier variable that keeps this name from being declared here.
const Symbol* conflict(const Reader& reader, std::string_view name, uint32_t number) {
    if (const Symbol* here = reader.names.find_in_scope(number))
        return here->klass == VariableClass::unknown ? nullptr : here;
    const Symbol* outer = reader.names.find(number);
    // The documentation's T0, T3, T4, T5 give way; what the compiler predefines does not.
    const bool surface = isa::predefined_surface(name).has_value() && name != "T0" && name != "T3" &&
                         name != "T4" && name != "T5";
    const bool fixed =
        outer != nullptr && outer->predefined && (surface || isa::predefined_general(name).has_value());
    return fixed ? outer : nullptr;
}

} // namespace

bool read_declaration(Reader& reader) {
    Lexer& lex = reader.lex;
    lex.skip_blanks();
    const uint32_t start = lex.offset();
    const std::optional<std::string_view> name = reader.name_or_string(
        "the variable's name", lex.peek() == '%' ? ": names of one's own have no `%`" : "");
    if (!name.has_value() || !reader.named(*name, lex.since(start)))
        return false;
    Parts parts;
    parts.general.name = *name;
    parts.general.where = lex.since(start);
    const Location where = parts.general.where;
    const uint32_t number = reader.names.number(*name);
    const Symbol* earlier = conflict(reader, *name, number);
    if (earlier != nullptr)
        report_duplicate(reader, *name, *earlier, where);
    bool good = true;
    while (good && !lex.at_line_end())
        good = read_part(reader, parts, *name);
    good = good && complete(reader, parts, where);
    if (earlier != nullptr)
        return good;
    constexpr size_t most_predicates = 65535; // what an instruction can name
    if (good && parts.klass == VariableClass::predicate &&
        reader.function->predicates.size() + isa::first_user_predicate > most_predicates)
        good = lex.error(where, "too-many-variables",
                         fmt::format("a kernel has at most {} predicates", most_predicates));
    if (!good) { // known by name, so that its uses are not reported as well
        reader.names.declare(number, {VariableClass::unknown, false, 0, where});
        return false;
    }
    const VariableClass klass = parts.klass;
    const bool is_null = parts.is_null;
    const uint32_t id = add(*reader.function, klass, parts);
    reader.names.declare(number, {klass, false, is_null ? isa::id(isa::Predefined::null) : id, where});
    return true;
}

namespace {

void write_other(Writer& writer, const std::vector<OtherVariable>& variables, VariableClass klass,
                 uint32_t first, char letter) {
    for (uint32_t index = 0; index < variables.size(); ++index) {
        const OtherVariable& variable = variables[index];
        writer.text(".decl ");
        writer.name(klass, first + index);
        writer.text(" v_type=");
        writer.mark(letter);
        writer.text(" num_elts=");
        writer.decimal(variable.elements);
        if (!variable.v_name.empty()) {
            writer.text(" v_name=");
            writer.text(is_name(variable.v_name) ? variable.v_name : quoted(variable.v_name));
        }
        write_attribute_list(writer, variable.attributes);
        writer.text("\n");
    }
}

void write_general(Writer& writer, uint32_t id, const GeneralVariable& variable) {
    writer.text(".decl ");
    writer.name(VariableClass::general, id);
    writer.text(" v_type=G type=");
    writer.text(isa::facts(variable.type).name);
    writer.text(" num_elts=");
    writer.decimal(variable.elements);
    if (variable.align != Align::byte) {
        writer.text(" align=");
        writer.text(spelling_of(variable.align));
    }
    if (variable.alias != 0) {
        writer.text(" alias=<");
        writer.name(VariableClass::general, variable.alias);
        writer.text(", ");
        writer.decimal(variable.alias_offset);
        writer.text(">");
    }
    write_attribute_list(writer, variable.attributes);
    writer.text("\n");
}

} // namespace

void write_declarations(Writer& writer) {
    const Function& function = writer.function;
    for (uint32_t index = 0; index < function.general.size(); ++index)
        write_general(writer, isa::first_user_general + index, function.general[index]);
    write_other(writer, function.addresses, VariableClass::address, 0, 'A');
    write_other(writer, function.predicates, VariableClass::predicate, isa::first_user_predicate, 'P');
    write_other(writer, function.samplers, VariableClass::sampler, 0, 'S');
    write_other(writer, function.surfaces, VariableClass::surface, isa::first_user_surface, 'T');
    for (const Input& input : function.inputs)
        write_input(writer, input);
    for (const Attribute& attribute : function.attributes) {
        writer.text(".kernel_attr ");
        write_attribute(writer, attribute);
        writer.text("\n");
    }
}

} // namespace visor::text
