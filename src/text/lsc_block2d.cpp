// Untyped 2D blocks: V:d16.2x16x8nt and flat[base,width,height,pitch,x,y], or flat[base+(x,y)] with a
// payload.
#include "text/lsc_parts.h"

#include <fmt/format.h>

namespace visor::text::forms {

namespace {

using namespace lsc;

bool flat_word(Reader& reader) {
    return reader.lex.accept_word("flat") || reader.lex.expected("`flat[`");
}
bool flat_word(Writer& writer) {
    writer.text("flat");
    return true;
}

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
        const bool from_zero = lex.peek() == '0'; // 0x8 is no eight here
        const std::optional<Integer> size = lex.integer("a block's width, height or number");
        if (!size.has_value())
            return false;
        if (from_zero || count == sizes.size() || size->value == 0 || size->value > 0xffff)
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
    const bool flagged = is(lex.peek(), name_start); // directly behind the number
    const Location flags = flagged ? lex.next_token() : Location{lex.offset(), 0};
    const std::string_view letters = lex.text(flags);
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

} // namespace

const Form lsc_block2d{[](Draft& draft) { return read_message(draft, block2d<Reader, Operand>); },
                       [](Writer& writer, const Instruction& instruction) {
                           write_message(writer, instruction, block2d<Writer, const Operand>);
                       }};

} // namespace visor::text::forms
