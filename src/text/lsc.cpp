// The LSC messages' text: data with a shape, addresses in brackets behind their model. Each part is one
// template that is walked both ways; small overloads say what a payload, a place or a word of a codec is to
// either side.
#include "isa/codec.h"
#include "text/instruction.h"

#include <algorithm>

#include <fmt/format.h>

namespace visor::text::forms {

namespace {

using isa::Codec;
using isa::Field;
using isa::FieldKind;
using isa::Place;

// Codes of address types: flat may have a base, arg has nothing, surf a 64-bit place; and of data orders.
constexpr uint64_t flat = 1, arg = 5, surf = 6;
constexpr uint64_t untransposed = 1, transposed = 2;

// The operands of an instruction by their fields' names. A name that the row has not gives a spare operand,
// which is filled and forgotten.
template <class Op>
class Fields {
public:
    template <class AnyInstruction>
    explicit Fields(AnyInstruction& instruction) : row_(*instruction.row) {
        operands_ = {instruction.operands.data(), instruction.operands.size()};
    }
    [[nodiscard]] bool has(std::string_view name) const { return index(name) < operands_.size(); }
    [[nodiscard]] Op& operator[](std::string_view name) {
        const size_t found = index(name);
        return found < operands_.size() ? operands_[found] : spare_;
    }
    // Whether text has this field at all.
    [[nodiscard]] bool written(std::string_view name) const {
        const auto field = std::ranges::find_if(row_.format, [&](const Field& f) { return name == f.name; });
        return field != row_.format.end() && field->place != Place::hidden;
    }

private:
    [[nodiscard]] size_t index(std::string_view name) const {
        return static_cast<size_t>(isa::operand_index(row_, name)); // -1 is past every end
    }
    const isa::Row& row_;
    std::span<Op> operands_;
    std::remove_const_t<Op> spare_{};
};

// ---- the two sides of the smallest parts

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

// A word of a codec, all of a run of letters and digits.
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

// +n or -n behind a coordinate; 32 bits, two's complement.
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
    const bool good = reader.number(value, INT32_MIN, INT32_MAX, "an offset");
    operand.value = static_cast<uint32_t>(value);
    return good;
}
bool signed_number(Writer& writer, const Operand& operand) {
    writer.decimal(static_cast<int32_t>(static_cast<uint32_t>(operand.value)));
    return true;
}

bool flat_word(Reader& reader) {
    return reader.lex.accept_word("flat") || reader.lex.expected("`flat[`");
}
bool flat_word(Writer& writer) {
    writer.text("flat");
    return true;
}

// In front of every operand: the compiler has two blanks.
void space(Reader& /*reader*/) {}
void space(Writer& writer) {
    writer.text("  ");
}

// ---- :d32x4t or :d32.xyzw

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
    return word(reader, Codec::lsc_channel_mask, fields["ch_mask"], "channels, such as `xyzw`");
}
bool elements_shape(Writer& writer, Fields<const Operand>& fields) {
    writer.mark(':');
    writer.text(isa::spell(Codec::lsc_data_size, fields["data_size"].value));
    if (fields["ch_mask"].value != 0) {
        writer.mark('.');
        return word(writer, Codec::lsc_channel_mask, fields["ch_mask"], "");
    }
    const uint64_t count =
        isa::amount(Codec::lsc_data_elements, fields["data_elems_per_addr"].value).value_or(1);
    if (count != 1)
        writer.text(fmt::format("x{}", count));
    writer.text(fields["data_order"].value == transposed ? "t" : "");
    return true;
}

template <class Walk, class Op>
bool data(Walk& walk, Fields<Op>& fields, std::string_view name) {
    space(walk);
    return payload(walk, fields[name]) && elements_shape(walk, fields);
}

// ---- model(surface, index), nothing for a flat address without a base

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

bool model(Reader& reader, Fields<Operand>& fields) {
    fields["addr_type"].value = flat;
    if (reader.ahead('['))
        return true;
    if (!word(reader, Codec::lsc_address_type, fields["addr_type"], "an address, such as `flat[V32]:a64`"))
        return false;
    const uint64_t type = fields["addr_type"].value;
    if (type == arg || (type == flat && !reader.ahead('(')))
        return true;
    const isa::Type number = type == flat || type == surf ? isa::Type::uq : isa::Type::ud;
    return reader.mark('(') && place(reader, fields["surface"], number) &&
           surface_index(reader, fields["surface_index"]) && reader.mark(')');
}
bool model(Writer& writer, Fields<const Operand>& fields) {
    static_cast<void>(word(writer, Codec::lsc_address_type, fields["addr_type"], ""));
    const Operand& surface = fields["surface"];
    const uint64_t type = fields["addr_type"].value;
    if (surface.kind == OperandKind::absent || ((type == flat || type == arg) && is_null(surface)))
        return true;
    return writer.mark('(') && place(writer, surface, isa::Type::ud) &&
           surface_index(writer, fields["surface_index"]) && writer.mark(')');
}

// ---- [scale*V+offset, pitch]:a64

bool scale_ahead(Reader& reader) {
    return reader.lex.starts_number();
}
bool scale_ahead(Writer& /*writer*/) {
    return false;
}

bool scale_number(Reader& reader, Operand& scale) {
    Lexer& lex = reader.lex;
    lex.skip_blanks();
    const uint32_t start = lex.offset();
    const std::optional<int64_t> value = reader.primary("a scale");
    scale.value = static_cast<uint64_t>(value.value_or(0));
    return value.has_value() && ((*value >= 1 && *value <= 0xffff) ||
                                 lex.error(lex.since(start), "number-out-of-range", "a scale is 1 to 65535"));
}
bool scale_number(Writer& writer, const Operand& scale) {
    writer.decimal(static_cast<int64_t>(scale.value));
    return true;
}

template <class Walk, class Op>
bool untyped_address(Walk& walk, Fields<Op>& fields) {
    const bool strided = fields.has("src0_addr_pitch");
    Op& scale = fields["addr_scale"];
    Op& pitch = fields["src0_addr_pitch"];
    space(walk);
    if (!model(walk, fields) || !walk.mark('['))
        return false;
    if (walk.optional_part(scale_ahead(walk), scale.value > 1) &&
        (!scale_number(walk, scale) || !walk.mark('*')))
        return false;
    if (!payload(walk, fields[strided ? "src0_addr_base" : "src0_addrs"]) ||
        !displacement(walk, fields["addr_imm_offset"]))
        return false;
    if (strided && walk.optional_mark(',', pitch.kind != OperandKind::absent) &&
        !place(walk, pitch, isa::Type::ud))
        return false;
    return walk.mark(']') && walk.mark(':') &&
           word(walk, Codec::lsc_address_size, fields["addr_size"], "an address size, such as `a64`");
}

// Loads have their result in front of the address, stores their data behind it, updates both sources behind
// it.
template <class Walk, class Op>
bool untyped(Walk& walk, Fields<Op>& fields) {
    if (fields.has("src0_data")) { // append counters address nothing but their surface
        space(walk);
        if (!payload(walk, fields["dst_data"]) || !elements_shape(walk, fields))
            return false;
        space(walk);
        return model(walk, fields) && data(walk, fields, "src0_data");
    }
    const bool loads = fields.written("dst_data");
    if (loads && !data(walk, fields, "dst_data"))
        return false;
    if (!untyped_address(walk, fields))
        return false;
    if (!loads)
        return data(walk, fields, "src1_data");
    for (const std::string_view source : {"src1_data", "src2_data"}) {
        if (!fields.written(source))
            continue;
        space(walk);
        if (!payload(walk, fields[source]))
            return false;
    }
    return true;
}

// ---- :d16.2x16x8nt and flat[base, width, height, pitch, x, y]

bool block_shape(Reader& reader, Fields<Operand>& fields) {
    Lexer& lex = reader.lex;
    if (!reader.mark(':') ||
        !word(reader, Codec::lsc_data_size, fields["data_size"], "a data size, such as `d16`") ||
        !reader.mark('.'))
        return false;
    const uint32_t start = lex.offset();
    std::array<uint64_t, 3> sizes{};
    size_t count = 0;
    do {
        const std::optional<Integer> size = lex.integer("a block's width, height or number");
        if (!size.has_value())
            return false;
        if (count == sizes.size() || size->value == 0 || size->value > 0xffff)
            return lex.error(lex.since(start), "bad-shape", "a block is [number x] width x height");
        sizes[count++] = size->value;
    } while (lex.peek() == 'x' && (lex.advance(), true));
    if (count < 2)
        return lex.error(lex.since(start), "bad-shape", "a block is [number x] width x height");
    const bool numbered = count == 3;
    if (numbered && sizes[0] > 0xff)
        return lex.error(lex.since(start), "bad-shape", "a message has at most 255 blocks");
    fields["blocks"].value = numbered ? sizes[0] : 1;
    fields["block_width"].value = sizes[numbered ? 1 : 0];
    fields["block_height"].value = sizes[numbered ? 2 : 1];
    const Location flags = lex.next_token();
    const std::string_view letters = is(lex.peek(), name_start) ? lex.text(flags) : std::string_view{};
    if (letters.size() > 2 || letters.find_first_not_of("nt") != std::string_view::npos)
        return lex.error(flags, "bad-shape", "behind a block stand `n` or `t` for transposing and for VNNI");
    lex.advance(letters.size());
    fields["data_order"].value = letters.starts_with('t') ? transposed : untransposed;
    fields["vnni"].value = letters.size() == 2 && letters[1] == 't' ? 1 : 0;
    return true;
}
bool block_shape(Writer& writer, Fields<const Operand>& fields) {
    writer.text(fmt::format(":{}.{}x{}x{}{}{}", isa::spell(Codec::lsc_data_size, fields["data_size"].value),
                            fields["blocks"].value, fields["block_width"].value, fields["block_height"].value,
                            fields["data_order"].value == transposed ? "t" : "n",
                            fields["vnni"].value != 0 ? "t" : "n"));
    return true;
}

// base+(x,y): the base is a payload that holds the rest.
template <class Walk, class Op>
bool payload_offsets(Walk& walk, Fields<Op>& fields) {
    return walk.mark('(') && signed_number(walk, fields["x_offset"]) && walk.mark(',') &&
           signed_number(walk, fields["y_offset"]) && walk.mark(')');
}
template <class Walk, class Op>
bool block_coordinates(Walk& walk, Fields<Op>& fields) {
    constexpr isa::Type ud = isa::Type::ud;
    return place(walk, fields["src0_addr_x"], ud) && displacement(walk, fields["x_offset"]) &&
           walk.mark(',') && place(walk, fields["src0_addr_y"], ud) &&
           displacement(walk, fields["y_offset"]) && walk.mark(']');
}

template <class Walk, class Op>
bool block_address(Walk& walk, Fields<Op>& fields) {
    space(walk);
    if (!flat_word(walk) || !walk.mark('[') || !place(walk, fields["surface_base_addr"], isa::Type::uq))
        return false;
    if (walk.optional_mark('+', fields["surface_width"].kind == OperandKind::absent))
        return payload_offsets(walk, fields) && walk.mark(']');
    for (const std::string_view name : {"surface_width", "surface_height", "surface_pitch"}) {
        if (!walk.mark(',') || !place(walk, fields[name], isa::Type::ud))
            return false;
    }
    return walk.mark(',') && block_coordinates(walk, fields);
}
template <class Walk, class Op>
bool block2d(Walk& walk, Fields<Op>& fields) {
    const bool loads = fields.written("dst_data");
    if (!loads && !block_address(walk, fields))
        return false;
    space(walk);
    if (!payload(walk, fields[loads ? "dst_data" : "src1_data"]) || !block_shape(walk, fields))
        return false;
    return !loads || block_address(walk, fields);
}

// ---- typed: model(surface)[u+offset, v, r, lod]:a32

bool more_coordinates(Reader& reader, Fields<Operand>& /*fields*/, size_t /*from*/) {
    return reader.lex.accept(',');
}
bool more_coordinates(Writer& writer, Fields<const Operand>& fields, size_t from) {
    static constexpr std::array names{"src0_addrs_u", "src0_addrs_v", "src0_addrs_r", "src0_addrs_lod"};
    const bool more =
        std::any_of(names.begin() + static_cast<ptrdiff_t>(from), names.end(), [&](const char* name) {
            return fields[name].kind == OperandKind::raw && !is_null(fields[name]);
        });
    if (more)
        writer.mark(',');
    return more;
}

template <class Walk, class Op>
bool typed_address(Walk& walk, Fields<Op>& fields) {
    static constexpr std::array names{"src0_addrs_u", "src0_addrs_v", "src0_addrs_r", "src0_addrs_lod"};
    static constexpr std::array offsets{"u_offset", "v_offset", "r_offset"};
    space(walk);
    if (!model(walk, fields) || !walk.mark('['))
        return false;
    for (size_t index = 0; index < names.size(); ++index) {
        if (index > 0 && !more_coordinates(walk, fields, index))
            break;
        if (!payload(walk, fields[names[index]]) ||
            (index < offsets.size() && !displacement(walk, fields[offsets[index]])))
            return false;
    }
    return walk.mark(']') && walk.mark(':') &&
           word(walk, Codec::lsc_address_size, fields["addr_size"], "an address size, such as `a32`");
}

// :64x4, the block in bytes and rows
bool bytes_shape(Reader& reader, Fields<Operand>& fields) {
    Lexer& lex = reader.lex;
    if (!reader.mark(':'))
        return false;
    const std::optional<Integer> width = lex.integer("a block's width");
    if (!width.has_value() || (lex.peek() != 'x' && !lex.expected("`x`")))
        return false;
    lex.advance();
    const std::optional<Integer> height = lex.integer("a block's height");
    if (!height.has_value())
        return false;
    fields["block_width"].value = width->value & 0xffff;
    fields["block_height"].value = height->value & 0xffff;
    return (width->value <= 0xffff && height->value <= 0xffff) ||
           lex.error(lex.next_token(), "bad-shape", "a block is at most 65535 wide and high");
}
bool bytes_shape(Writer& writer, Fields<const Operand>& fields) {
    writer.text(fmt::format(":{}x{}", fields["block_width"].value, fields["block_height"].value));
    return true;
}

template <class Walk, class Op>
bool typed_block2d(Walk& walk, Fields<Op>& fields) {
    const bool loads = fields.written("dst_data");
    for (const bool address_now : {!loads, loads}) {
        space(walk);
        const bool good =
            address_now
                ? model(walk, fields) && walk.mark('[') && block_coordinates(walk, fields)
                : payload(walk, fields[loads ? "dst_data" : "src1_data"]) && bytes_shape(walk, fields);
        if (!good)
            return false;
    }
    return true;
}

template <class Walk, class Op>
bool typed(Walk& walk, Fields<Op>& fields) {
    if (fields.has("block_width"))
        return typed_block2d(walk, fields);
    const bool loads = fields.written("dst_data");
    if (loads && !data(walk, fields, "dst_data"))
        return false;
    if (!typed_address(walk, fields))
        return false;
    if (!loads)
        return data(walk, fields, "src1_data");
    for (const std::string_view source : {"src1_data", "src2_data"}) {
        if (!fields.written(source))
            continue;
        space(walk);
        if (!payload(walk, fields[source]))
            return false;
    }
    return true;
}

// lsc_read_state_info.tgm V bti(4)[V]: its shape is fixed.
template <class Walk, class Op>
bool state_info(Walk& walk, Fields<Op>& fields) {
    space(walk);
    if (!payload(walk, fields["dst_data"]))
        return false;
    space(walk);
    return model(walk, fields) && walk.mark('[') && payload(walk, fields["src0_addrs_u"]) && walk.mark(']');
}

// ---- the forms

// What text does not say of coordinates is the null variable.
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

bool read_lsc(Draft& draft, bool (*body)(Reader&, Fields<Operand>&)) {
    if (!suffixes_used_up(draft) || (isa::has_exec(*draft.row) && !read_execution(draft)))
        return false;
    Fields<Operand> fields(draft.instruction);
    if (!body(draft.reader, fields))
        return false;
    default_coordinates(draft.instruction);
    return true;
}

void write_lsc(Writer& writer, const Instruction& instruction,
               bool (*body)(Writer&, Fields<const Operand>&)) {
    write_mnemonic(writer, instruction);
    if (isa::has_exec(*instruction.row))
        write_execution(writer, instruction.execution);
    Fields<const Operand> fields(instruction);
    static_cast<void>(body(writer, fields));
}

bool read_state_info(Draft& draft) {
    if (!suffixes_used_up(draft))
        return false;
    Fields<Operand> fields(draft.instruction);
    if (!state_info(draft.reader, fields))
        return false;
    draft.instruction.execution = {1, 0, true};
    fields["addr_size"].value = *isa::parse(Codec::lsc_address_size, "a32");
    fields["data_size"].value = *isa::parse(Codec::lsc_data_size, "d32");
    fields["data_order"].value = transposed;
    fields["data_elems_per_addr"].value = *isa::parse(Codec::lsc_data_elements, "16");
    default_coordinates(draft.instruction);
    return true;
}
void write_state_info(Writer& writer, const Instruction& instruction) {
    write_mnemonic(writer, instruction);
    Fields<const Operand> fields(instruction);
    static_cast<void>(state_info(writer, fields));
}

// lsc_fence.ugm.none.gpu: the compiler's text has no exec size; one that matters is kept all the same.
bool read_lsc_fence(Draft& draft) {
    return suffixes_used_up(draft) && (draft.lex().at_line_end() || read_execution(draft));
}
void write_lsc_fence(Writer& writer, const Instruction& instruction) {
    write_mnemonic(writer, instruction);
    if (instruction.execution != Execution{})
        write_execution(writer, instruction.execution);
}

} // namespace

const Form lsc_untyped{[](Draft& draft) { return read_lsc(draft, untyped<Reader, Operand>); },
                       [](Writer& writer, const Instruction& instruction) {
                           write_lsc(writer, instruction, untyped<Writer, const Operand>);
                       }};
const Form lsc_block2d{[](Draft& draft) { return read_lsc(draft, block2d<Reader, Operand>); },
                       [](Writer& writer, const Instruction& instruction) {
                           write_lsc(writer, instruction, block2d<Writer, const Operand>);
                       }};
const Form lsc_typed{[](Draft& draft) { return read_lsc(draft, typed<Reader, Operand>); },
                     [](Writer& writer, const Instruction& instruction) {
                         write_lsc(writer, instruction, typed<Writer, const Operand>);
                     }};
const Form lsc_state_info{read_state_info, write_state_info};
const Form lsc_fence{read_lsc_fence, write_lsc_fence};

} // namespace visor::text::forms
