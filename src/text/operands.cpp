#include "text/operands.h"

#include "isa/codec.h"
#include "text/immediate.h"
#include "text/syntax.h"

#include <fmt/format.h>

namespace visor::text {

namespace {

using isa::Field;
using isa::FieldKind;

constexpr Region scalar_region{0, 1, 0};

bool is_destination(const Field& field) {
    return field.kind == FieldKind::vector_dst || field.kind == FieldKind::raw_dst;
}

// What the grammar lets stand here: what the row names, and for its direction what the compiler's rules
// always take.
isa::OperandClasses allowed_classes(const Field& field) {
    constexpr isa::OperandClasses anywhere = isa::class_general | isa::class_indirect;
    const unsigned always = is_destination(field) ? anywhere : anywhere | isa::class_immediate;
    return static_cast<isa::OperandClasses>(field.classes == 0 ? 0x7f : field.classes | always);
}

bool refuse(Reader& reader, const Field& field, Location where, std::string_view what) {
    return reader.lex.error(where, "operand-not-allowed",
                            fmt::format("{} cannot stand as `{}`", what, field.name));
}

SourceModifier read_modifier(Lexer& lex) {
    lex.skip_blanks();
    if (lex.peek() != '(')
        return SourceModifier::none;
    if (lex.accept("(-)"))
        return SourceModifier::neg;
    if (lex.accept("(abs)"))
        return SourceModifier::abs;
    if (lex.accept("(-abs)"))
        return SourceModifier::neg_abs;
    return lex.accept("(~)") ? SourceModifier::bit_not : SourceModifier::none;
}

std::string_view spelling(SourceModifier modifier) {
    switch (modifier) {
    case SourceModifier::abs:
        return "(abs)";
    case SourceModifier::neg:
        return "(-)";
    case SourceModifier::neg_abs:
        return "(-abs)";
    case SourceModifier::bit_not:
        return "(~)";
    case SourceModifier::none:
    case SourceModifier::saturate:
        break;
    }
    return "";
}

// What follows the name of a variable that nobody knows.
bool skip_unknown(Reader& reader, Operand& operand) {
    Lexer& lex = reader.lex;
    operand.kind = OperandKind::raw;
    if (lex.accept('.') && !reader.raw_offset(operand.offset))
        return false;
    if (lex.accept('(')) {
        do {
            if (!reader.expression().has_value())
                return false;
        } while (lex.accept(','));
        if (!reader.mark(')'))
            return false;
    }
    lex.skip_blanks();
    return lex.peek() != '<' || reader.any_region(operand.region);
}

bool read_general(Reader& reader, const Field& field, Operand& operand) {
    Lexer& lex = reader.lex;
    operand.kind = OperandKind::general;
    if (is_destination(field))
        return syntax::general_destination(reader, operand);
    if (!reader.ahead('('))
        return lex.error(lex.since(operand.where.offset), "missing-region",
                         "a source has an offset and a region, such as (0,0)<1;1,0>");
    if (!syntax::offsets(reader, operand))
        return false;
    if (!reader.ahead('<'))
        return lex.error(lex.since(operand.where.offset), "missing-region",
                         "a source has a region, such as <1;1,0> or <0;1,0>");
    const uint32_t start = lex.offset();
    if (!reader.any_region(operand.region))
        return false;
    return operand.region.vertical != region_absent ||
           lex.error(lex.since(start), "missing-region",
                     "the region of a source has three parts, such as <1;1,0>");
}

bool read_variable_operand(Reader& reader, const Field& field, Operand& operand) {
    Lexer& lex = reader.lex;
    if (!lex.name_ahead()) {
        if (lex.peek() == ':')
            return lex.error(lex.next_token(), "syntax", "only immediates and indirect operands have a type");
        return lex.expected(fmt::format("the operand `{}`", field.name),
                            lex.peek() == ',' ? ": operands have blanks between them" : "");
    }
    Location where;
    const Symbol* symbol = reader.variable(field.name, where);
    if (symbol == nullptr)
        return false;
    operand.id = symbol->id;
    const VariableClass klass = symbol->klass;
    const auto kind_if = [&](isa::OperandClass allowed, OperandKind kind) {
        operand.kind = kind;
        return (allowed_classes(field) & allowed) != 0 || refuse(reader, field, where, describe(klass));
    };
    switch (klass) {
    case VariableClass::general:
        return kind_if(isa::class_general, OperandKind::general) && read_general(reader, field, operand);
    case VariableClass::address:
        return kind_if(isa::class_address, OperandKind::address) && syntax::address(reader, operand);
    case VariableClass::predicate:
        return kind_if(isa::class_predicate, OperandKind::predicate);
    case VariableClass::sampler:
        return kind_if(isa::class_state, OperandKind::state_sampler) && syntax::element(reader, operand);
    case VariableClass::surface:
        return kind_if(isa::class_state, OperandKind::state_surface) && syntax::element(reader, operand);
    case VariableClass::unknown:
        break;
    }
    return skip_unknown(reader, operand);
}

bool read_indirect(Reader& reader, Operand& operand) {
    operand.kind = OperandKind::indirect;
    reader.lex.advance(2);
    Location where;
    const Symbol* symbol = reader.variable_of(VariableClass::address, where);
    if (symbol == nullptr)
        return false;
    operand.id = symbol->id;
    return syntax::indirect(reader, operand);
}

bool read_address_of(Reader& reader, const Field& field, Operand& operand) {
    reader.lex.advance();
    operand.kind = OperandKind::address_of;
    Location where;
    const Symbol* symbol = reader.variable("the variable whose address is meant", where);
    if (symbol == nullptr)
        return false;
    operand.id = symbol->id;
    const VariableClass klass = symbol->klass;
    if (klass == VariableClass::address || klass == VariableClass::predicate)
        return refuse(reader, field, where, fmt::format("the address of {}", describe(klass)));
    operand.klass = klass == VariableClass::unknown ? uint8_t{0} : static_cast<uint8_t>(klass);
    if ((allowed_classes(field) & isa::class_address_of) == 0)
        return refuse(reader, field, where, "the address of a variable");
    return syntax::address_of(reader, operand);
}

bool read_vector(Reader& reader, const Field& field, Operand& operand) {
    Lexer& lex = reader.lex;
    operand.modifier = read_modifier(lex);
    lex.skip_blanks();
    const char c = lex.peek();
    const bool modified = operand.modifier != SourceModifier::none;
    if (modified && is_destination(field))
        return refuse(reader, field, lex.since(operand.where.offset), "a source modifier");
    if (c == 'r' && lex.peek(1) == '[')
        return read_indirect(reader, operand);
    if (!modified && c == '&')
        return read_address_of(reader, field, operand);
    const bool number = lex.starts_number();
    if (modified && number)
        return lex.expected("a general variable or `r[` behind the source modifier");
    if (!number)
        return read_variable_operand(reader, field, operand) &&
               (!modified || operand.kind != OperandKind::predicate ||
                refuse(reader, field, lex.since(operand.where.offset), "a predicate with a source modifier"));
    if (!read_immediate(reader, operand))
        return false;
    return (allowed_classes(field) & isa::class_immediate) != 0 ||
           refuse(reader, field, lex.since(operand.where.offset), "an immediate");
}

void write_vector(Writer& writer, const Field& field, const Operand& operand) {
    writer.text(spelling(operand.modifier));
    switch (operand.kind) {
    case OperandKind::general:
        writer.name(VariableClass::general, operand.id);
        if (is_destination(field))
            static_cast<void>(syntax::offsets(writer, operand) &&
                              syntax::destination_region(writer, operand));
        else
            static_cast<void>(syntax::general_source(writer, operand));
        break;
    case OperandKind::address:
        writer.name(VariableClass::address, operand.id);
        static_cast<void>(syntax::address(writer, operand));
        break;
    case OperandKind::predicate:
        writer.name(VariableClass::predicate, operand.id);
        break;
    case OperandKind::indirect:
        writer.text("r[");
        writer.name(VariableClass::address, operand.id);
        static_cast<void>(syntax::indirect(writer, operand));
        break;
    case OperandKind::address_of:
        writer.text("&");
        writer.name(static_cast<VariableClass>(operand.klass), operand.id);
        static_cast<void>(syntax::address_of(writer, operand));
        break;
    case OperandKind::state_surface:
    case OperandKind::state_sampler:
        writer.name(operand.kind == OperandKind::state_surface ? VariableClass::surface
                                                               : VariableClass::sampler,
                    operand.id);
        static_cast<void>(syntax::element(writer, operand));
        break;
    default:
        write_immediate(writer, operand);
        break;
    }
}

bool read_label(Reader& reader, Operand& operand) {
    Lexer& lex = reader.lex;
    lex.skip_blanks();
    const uint32_t start = lex.offset();
    std::string_view name;
    if (lex.peek() == '"') {
        const std::optional<std::string_view> string = lex.string();
        if (!string.has_value() || !reader.named(*string, lex.since(start)))
            return false;
        name = *string;
    } else {
        name = lex.label_use();
    }
    if (name.empty())
        return lex.expected("a label");
    operand.kind = OperandKind::label;
    operand.id = reader.label(name, LabelKind::block, lex.since(start));
    return true;
}

bool read_string(Reader& reader, const Field& field, Operand& operand) {
    const std::optional<std::string_view> string = reader.name_or_string(field.name);
    if (!string.has_value())
        return false;
    operand.kind = OperandKind::string;
    operand.id = reader.string_index(*string);
    return true;
}

bool read_any_variable(Reader& reader, Operand& operand) {
    Location where;
    const Symbol* symbol = reader.variable("a variable", where);
    if (symbol == nullptr)
        return false;
    operand.kind = OperandKind::variable;
    operand.id = symbol->id;
    operand.klass =
        symbol->klass == VariableClass::unknown ? uint8_t{0} : static_cast<uint8_t>(symbol->klass);
    return true;
}

} // namespace

uint64_t largest_literal(FieldKind kind) {
    if (kind == FieldKind::literal16)
        return 0xffff;
    return kind == FieldKind::literal32 ? 0xffffffff : 0xff;
}

bool read_literal(Reader& reader, const Field& field, Operand& operand) {
    Lexer& lex = reader.lex;
    lex.skip_blanks();
    const uint32_t start = lex.offset();
    operand.kind = OperandKind::literal;
    if (field.codec != isa::Codec::plain && field.codec != isa::Codec::hex) {
        const Location where = lex.next_token();
        const std::string_view word = lex.name();
        const std::optional<uint64_t> code = isa::parse(field.codec, word);
        if (!code.has_value())
            return lex.error(where, "bad-literal",
                             fmt::format("`{}` is no `{}`", lex.text(where), field.name));
        operand.value = *code;
        return true;
    }
    const std::optional<Integer> number = lex.integer(field.name);
    if (!number.has_value())
        return false;
    operand.value = number->value;
    return number->value <= largest_literal(field.kind) ||
           lex.error(lex.since(start), "number-out-of-range",
                     fmt::format("`{}` must be 0 to {}", field.name, largest_literal(field.kind)));
}

bool read_raw(Reader& reader, Operand& operand, bool bare_allowed) {
    Lexer& lex = reader.lex;
    Location where;
    const Symbol* symbol = reader.variable_of(VariableClass::general, where);
    if (symbol == nullptr)
        return false;
    operand.kind = OperandKind::raw;
    operand.id = symbol->id;
    if (symbol->klass == VariableClass::unknown)
        return skip_unknown(reader, operand);
    const bool null = symbol->predefined && symbol->id == 0;
    if (!reader.ahead('.')) {
        return bare_allowed ||
               lex.error(lex.since(where.offset), "missing-offset",
                         fmt::format("a raw operand has a byte offset: `{}.0`", lex.text(where)));
    }
    if (!syntax::raw(reader, operand))
        return false;
    return !null || operand.offset == 0 ||
           lex.error(lex.since(where.offset), "number-out-of-range",
                     "the null variable has the offset 0 only");
}

void write_raw(Writer& writer, const Operand& operand) {
    writer.name(VariableClass::general, operand.id);
    static_cast<void>(syntax::raw(writer, operand));
}

void write_bare_raw(Writer& writer, const Operand& operand) {
    writer.name(VariableClass::general, operand.id);
    if (operand.offset != 0)
        static_cast<void>(syntax::raw(writer, operand));
}

bool read_place(Reader& reader, Operand& operand, isa::Type immediate_type) {
    Lexer& lex = reader.lex;
    lex.skip_blanks();
    operand.where.offset = lex.offset();
    if (lex.starts_number()) {
        const std::optional<int64_t> value = reader.expression(Precedence::conditional);
        operand.kind = OperandKind::immediate;
        operand.type = immediate_type;
        operand.where = lex.since(operand.where.offset);
        operand.value = static_cast<uint64_t>(value.value_or(0));
        const bool narrow = isa::size_of(immediate_type) == 4;
        if (narrow && value.has_value() && (*value < INT32_MIN || *value > int64_t{UINT32_MAX}))
            return lex.error(operand.where, "immediate-out-of-range", "this number does not fit 32 bits");
        operand.value &= narrow ? UINT32_MAX : UINT64_MAX;
        return value.has_value();
    }
    Location where;
    const Symbol* symbol = reader.variable("a variable or a number", where);
    if (symbol == nullptr)
        return false;
    operand.id = symbol->id;
    operand.kind = OperandKind::general;
    operand.region = scalar_region;
    bool good = true;
    if (symbol->klass == VariableClass::surface) {
        operand.kind = OperandKind::state_surface;
        operand.region = {};
    } else if (symbol->klass == VariableClass::address) {
        operand.kind = OperandKind::address;
        operand.region = {};
        good = syntax::address(reader, operand);
    } else if (symbol->klass != VariableClass::general && symbol->klass != VariableClass::unknown) {
        return lex.error(where, "wrong-variable-class",
                         fmt::format("expected a general variable, but `{}` is {}", lex.text(where),
                                     describe(symbol->klass)));
    } else if (lex.accept('.')) { // digits only: behind them may stand a displacement
        const std::optional<Integer> column = lex.integer("a column");
        good = column.has_value() &&
               (column->value <= 255 ||
                lex.error(lex.since(where.offset), "number-out-of-range",
                          fmt::format("a column must be 0 to 255, not {}", column->value)));
        operand.column = static_cast<uint8_t>(good ? column->value : 0);
    } else if (reader.ahead('(')) {
        good = syntax::offsets(reader, operand);
    }
    operand.where = lex.since(operand.where.offset);
    return good;
}

void write_place(Writer& writer, const Operand& operand) {
    if (operand.kind == OperandKind::immediate) {
        writer.hex(operand.value);
    } else if (operand.kind == OperandKind::state_surface) {
        writer.name(VariableClass::surface, operand.id);
    } else if (operand.kind == OperandKind::address) {
        writer.name(VariableClass::address, operand.id);
        static_cast<void>(syntax::address(writer, operand));
    } else {
        writer.name(VariableClass::general, operand.id);
        if (operand.row != 0 || operand.column != 0)
            static_cast<void>(syntax::offsets(writer, operand));
    }
}

bool read_simple_vector(Reader& reader, Operand& operand) {
    Location where;
    const Symbol* symbol = reader.variable_of(VariableClass::general, where);
    if (symbol == nullptr)
        return false;
    operand.kind = OperandKind::general;
    operand.id = symbol->id;
    operand.region = {1, 1, 0};
    return syntax::offsets(reader, operand);
}

void write_simple_vector(Writer& writer, const Operand& operand) {
    writer.name(VariableClass::general, operand.id);
    static_cast<void>(syntax::offsets(writer, operand));
}

// V, or V(row,column)<0;1,0>[index] as compilers for Xe3P write it, of which only index 0 is known.
bool read_handle(Reader& reader, const Symbol& variable, Operand& operand) {
    operand.kind = OperandKind::general;
    operand.id = variable.id;
    operand.region = scalar_region;
    if (!reader.ahead('('))
        return true;
    if (!syntax::general_source(reader, operand))
        return false;
    if (operand.region != scalar_region)
        return reader.lex.error(reader.lex.since(operand.where.offset), "vector-handle",
                                "the handle of a state is one element: its region is <0;1,0>");
    uint32_t index = 0;
    return reader.mark('[') && reader.number(index, 0, 0, "the index of a state") && reader.mark(']');
}

bool read_state(Reader& reader, VariableClass klass, Operand& operand, VariableClass or_this) {
    Location where;
    const Symbol* symbol = reader.variable_of(klass, where, or_this);
    if (symbol == nullptr)
        return false;
    if (symbol->klass == VariableClass::general)
        return read_handle(reader, *symbol, operand);
    operand.kind = klass == VariableClass::surface ? OperandKind::surface : OperandKind::sampler;
    operand.id = symbol->id;
    return true;
}

bool read_operand(Reader& reader, const Field& field, Operand& operand) {
    Lexer& lex = reader.lex;
    lex.skip_blanks();
    operand.where.offset = lex.offset();
    bool good = false;
    switch (field.kind) {
    case FieldKind::vector_dst:
    case FieldKind::vector_src:
    case FieldKind::scalar_src:
        good = read_vector(reader, field, operand);
        break;
    case FieldKind::raw_dst:
    case FieldKind::raw_src:
        good = read_raw(reader, operand, false);
        break;
    case FieldKind::surface:
        good = read_state(reader, VariableClass::surface, operand, VariableClass::unknown);
        break;
    case FieldKind::sampler:
        good = read_state(reader, VariableClass::sampler, operand, VariableClass::unknown);
        break;
    case FieldKind::label:
        good = read_label(reader, operand);
        break;
    case FieldKind::string16:
    case FieldKind::string32:
        good = read_string(reader, field, operand);
        break;
    case FieldKind::variable:
        good = read_any_variable(reader, operand);
        break;
    default:
        good = read_literal(reader, field, operand);
        break;
    }
    operand.where = lex.since(operand.where.offset);
    return good;
}

bool read_state_or_handle(Reader& reader, const Field& field, Operand& operand) {
    const VariableClass klass =
        field.kind == FieldKind::surface ? VariableClass::surface : VariableClass::sampler;
    reader.lex.skip_blanks();
    operand.where.offset = reader.lex.offset();
    const bool good = read_state(reader, klass, operand, VariableClass::general);
    operand.where = reader.lex.since(operand.where.offset);
    return good;
}

void write_handle(Writer& writer, const Operand& operand) {
    writer.name(VariableClass::general, operand.id);
    if (operand.row != 0 || operand.column != 0) {
        static_cast<void>(syntax::general_source(writer, operand));
        writer.text("[0]");
    }
}

void write_operand(Writer& writer, const Field& field, const Operand& operand) {
    const bool state = field.kind == FieldKind::surface || field.kind == FieldKind::sampler;
    if (state && operand.kind == OperandKind::general)
        return write_handle(writer, operand);
    switch (operand.kind) {
    case OperandKind::raw:
        return write_raw(writer, operand);
    case OperandKind::surface:
        return writer.name(VariableClass::surface, operand.id);
    case OperandKind::sampler:
        return writer.name(VariableClass::sampler, operand.id);
    case OperandKind::label:
        return writer.label(operand.id);
    case OperandKind::string:
        return writer.string(operand.id, field.kind == FieldKind::string16);
    case OperandKind::variable:
        return writer.name(static_cast<VariableClass>(operand.klass), operand.id);
    case OperandKind::literal:
        return writer.text(isa::spell(field.codec, operand.value));
    default:
        return write_vector(writer, field, operand);
    }
}

} // namespace visor::text
