// Typed LSC messages: model(surface)[u+offset,v,r,lod]:a32, 2D blocks in bytes, and the state of a surface.
#include "text/lsc_parts.h"

#include <fmt/format.h>

namespace visor::text::forms {

namespace {

using namespace lsc;

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

// base+(x,y): the base is a payload that holds the rest.
template <class Walk, class Op>
bool payload_offsets(Walk& walk, Fields<Op>& fields) {
    return walk.mark('(') && signed_number(walk, fields["x_offset"]) && walk.mark(',') &&
           signed_number(walk, fields["y_offset"]) && walk.mark(')');
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

bool read_state_info(Draft& draft) {
    if (!suffixes_used_up(draft))
        return false;
    Fields<Operand> fields(draft.instruction);
    if (!state_info(draft.reader, fields))
        return false;
    draft.instruction.execution = {1, 0, true};
    return true;
}
void write_state_info(Writer& writer, const Instruction& instruction) {
    write_mnemonic(writer, instruction);
    Fields<const Operand> fields(instruction);
    static_cast<void>(state_info(writer, fields));
}

} // namespace

const Form lsc_typed{[](Draft& draft) { return read_message(draft, typed<Reader, Operand>); },
                     [](Writer& writer, const Instruction& instruction) {
                         write_message(writer, instruction, typed<Writer, const Operand>);
                     }};
const Form lsc_state_info{read_state_info, write_state_info};

} // namespace visor::text::forms
