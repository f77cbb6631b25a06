// Untyped LSC messages and the fence: [scale*V+offset, pitch]:a64 behind the model, data in front of it or
// behind.
#include "text/lsc_parts.h"

namespace visor::text::forms {

namespace {

using namespace lsc;

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
    const bool scaled = fields.has("addr_scale"); // else there is no offset, either
    if (scaled && walk.optional_part(scale_ahead(walk), scale.value > 1) &&
        (!scale_number(walk, scale) || !walk.mark('*')))
        return false;
    if (!payload(walk, fields[strided ? "src0_addr_base" : "src0_addrs"]) ||
        (scaled && !displacement(walk, fields["addr_imm_offset"])))
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
    if (!fields.has("src1_data")) // lsc_extended_cache_ctrl moves none
        return true;
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

const Form lsc_untyped{[](Draft& draft) { return read_message(draft, untyped<Reader, Operand>); },
                       [](Writer& writer, const Instruction& instruction) {
                           write_message(writer, instruction, untyped<Writer, const Operand>);
                       }};
const Form lsc_fence{read_lsc_fence, write_lsc_fence};

} // namespace visor::text::forms
