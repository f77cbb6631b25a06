#include "text/lsc_parts.h"

#include <fmt/format.h>

namespace visor::text::lsc {

bool payload(Reader& reader, Operand& operand) {
    reader.lex.skip_blanks();
    operand.where = reader.lex.next_token();
    const bool good = read_raw(reader, operand, true);
    operand.where = reader.lex.since(operand.where.offset);
    return good;
}
bool payload(Writer& writer, const Operand& operand) {
    write_bare_raw(writer, operand);
    return true;
}

bool place(Reader& reader, Operand& operand, isa::Type immediate) {
    return read_place(reader, operand, immediate);
}
bool place(Writer& writer, const Operand& operand, isa::Type /*immediate*/) {
    write_place(writer, operand);
    return true;
}

bool word(Reader& reader, Codec codec, Operand& operand, std::string_view what) {
    Lexer& lex = reader.lex;
    operand.where = lex.next_token();
    const std::optional<uint64_t> code = isa::parse(codec, lex.text(operand.where));
    if (!code.has_value())
        return lex.expected(what);
    operand.value = *code;
    lex.advance(operand.where.length);
    return true;
}
bool word(Writer& writer, Codec codec, const Operand& operand, std::string_view /*what*/) {
    writer.text(isa::spell(codec, operand.value));
    return true;
}

bool displacement(Reader& reader, Operand& operand) {
    Lexer& lex = reader.lex;
    lex.skip_blanks();
    const uint32_t start = lex.offset();
    const bool minus = lex.peek() == '-';
    if (!minus && lex.peek() != '+')
        return true;
    lex.advance();
    const std::optional<int64_t> value = reader.expression(minus ? Precedence::product : Precedence::sum);
    if (!value.has_value())
        return false;
    const auto bits = minus ? 0 - static_cast<uint64_t>(*value) : static_cast<uint64_t>(*value);
    const auto offset = static_cast<int64_t>(bits);
    if (offset < INT32_MIN || offset > INT32_MAX)
        return lex.error(lex.since(start), "number-out-of-range", "an immediate offset has 32 bits");
    operand.value = bits & UINT32_MAX;
    operand.where = lex.since(start);
    return true;
}
bool displacement(Writer& writer, const Operand& operand) {
    const auto value = static_cast<int32_t>(static_cast<uint32_t>(operand.value));
    if (value == 0)
        return true;
    writer.text(value < 0 ? "-" : "+");
    writer.hex(value < 0 ? 0 - static_cast<uint64_t>(int64_t{value}) : static_cast<uint64_t>(value));
    return true;
}

bool signed_number(Reader& reader, Operand& operand) {
    int32_t value = 0;
    reader.lex.skip_blanks();
    const uint32_t start = reader.lex.offset();
    const bool good = reader.number(value, INT32_MIN, INT32_MAX, "an offset");
    operand.where = reader.lex.since(start);
    operand.value = static_cast<uint32_t>(value);
    return good;
}
bool signed_number(Writer& writer, const Operand& operand) {
    writer.decimal(static_cast<int32_t>(static_cast<uint32_t>(operand.value)));
    return true;
}

void space(Reader& /*reader*/) {}
void space(Writer& writer) {
    writer.text("  ");
}

// :d32x4t or :d32.xyzwt
bool elements_shape(Reader& reader, Fields<Operand>& fields) {
    Lexer& lex = reader.lex;
    if (!reader.mark(':'))
        return false;
    const Location where = lex.next_token();
    std::string_view rest = lex.text(where);
    const std::string_view size = rest.substr(0, rest.find_first_of("xt"));
    rest.remove_prefix(size.size());
    const bool transpose = rest.ends_with('t');
    rest.remove_suffix(transpose ? 1 : 0);
    const std::optional<uint64_t> size_code = isa::parse(Codec::lsc_data_size, size);
    const std::string_view digits = rest.starts_with('x') ? rest.substr(1) : rest.empty() ? "1" : "";
    const std::optional<uint64_t> count = isa::parse(Codec::lsc_data_elements, digits);
    if (!size_code.has_value() || !count.has_value())
        return lex.error(where, "bad-shape",
                         fmt::format("`{}` is no shape of data, such as d32x4 or d8c32", lex.text(where)));
    lex.advance(where.length);
    fields["data_size"].value = *size_code;
    fields["data_order"].value = transpose ? transposed : untransposed;
    fields["data_elems_per_addr"].value = *count;
    if (!lex.accept('.'))
        return true;
    fields["data_elems_per_addr"].value = 0;
    Operand& channels = fields["ch_mask"];
    channels.where = lex.next_token();
    std::string_view letters = lex.text(channels.where);
    if (letters.ends_with('t')) {
        fields["data_order"].value = transposed;
        letters.remove_suffix(1);
    }
    const std::optional<uint64_t> mask = isa::parse(Codec::lsc_channel_mask, letters);
    if (!mask.has_value())
        return lex.expected("channels, such as `xyzw`");
    channels.value = *mask;
    lex.advance(channels.where.length);
    return true;
}
bool elements_shape(Writer& writer, Fields<const Operand>& fields) {
    writer.mark(':');
    writer.text(isa::spell(Codec::lsc_data_size, fields["data_size"].value));
    if (fields["ch_mask"].value != 0) {
        writer.mark('.');
        static_cast<void>(word(writer, Codec::lsc_channel_mask, fields["ch_mask"], ""));
    } else if (fields["data_elems_per_addr"].value != one_element) {
        writer.mark('x');
        static_cast<void>(word(writer, Codec::lsc_data_elements, fields["data_elems_per_addr"], ""));
    }
    writer.text(fields["data_order"].value == transposed ? "t" : "");
    return true;
}

namespace {

// ",index" when it is not 0
bool surface_index(Reader& reader, Operand& operand) {
    return !reader.lex.accept(',') || reader.number(operand.value, 0, UINT32_MAX, "a surface index");
}
bool surface_index(Writer& writer, const Operand& operand) {
    if (operand.value == 0)
        return true;
    writer.mark(',');
    writer.hex(operand.value);
    return true;
}

} // namespace

// model(surface,index); nothing behind the model of a flat address without a base
bool model(Reader& reader, Fields<Operand>& fields) {
    fields["addr_type"].value = flat;
    if (reader.ahead('['))
        return true;
    if (!word(reader, Codec::lsc_address_type, fields["addr_type"], "an address, such as `flat[V32]:a64`"))
        return false;
    const uint64_t type = fields["addr_type"].value;
    if (type == arg || (type == flat && !reader.ahead('(')) || !fields.has("surface"))
        return true;
    const isa::Type number = type == flat || type == surf ? isa::Type::uq : isa::Type::ud;
    Operand& surface = fields["surface"];
    if (!reader.mark('(') || !place(reader, surface, number) ||
        !surface_index(reader, fields["surface_index"]) || !reader.mark(')'))
        return false;
    if (type == flat && is_null(surface) && fields["surface_index"].value == 0) // no base
        surface = {};
    return true;
}
bool model(Writer& writer, Fields<const Operand>& fields) {
    static_cast<void>(word(writer, Codec::lsc_address_type, fields["addr_type"], ""));
    const Operand& surface = fields["surface"];
    if (surface.kind == OperandKind::absent)
        return true;
    return writer.mark('(') && place(writer, surface, isa::Type::ud) &&
           surface_index(writer, fields["surface_index"]) && writer.mark(')');
}

void default_coordinates(Instruction& instruction) {
    size_t index = 0;
    for (const Field& field : instruction.row->format) {
        if (!isa::is_operand(field.kind))
            continue;
        Operand& operand = instruction.operands[index++];
        if (field.kind == FieldKind::raw_src && operand.kind == OperandKind::absent)
            operand.kind = OperandKind::raw;
    }
}

bool read_message(Draft& draft, bool (*body)(Reader&, Fields<Operand>&)) {
    if (!suffixes_used_up(draft) || (isa::has_exec(*draft.row) && !read_execution(draft)))
        return false;
    Fields<Operand> fields(draft.instruction);
    if (!body(draft.reader, fields))
        return false;
    default_coordinates(draft.instruction);
    return true;
}

void write_message(Writer& writer, const Instruction& instruction,
                   bool (*body)(Writer&, Fields<const Operand>&)) {
    write_mnemonic(writer, instruction);
    if (isa::has_exec(*instruction.row))
        write_execution(writer, instruction.execution);
    Fields<const Operand> fields(instruction);
    static_cast<void>(body(writer, fields));
}

} // namespace visor::text::lsc
