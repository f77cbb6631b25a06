// Operands: which kind stands in a place, both directions next to each other. The spelling of each kind is
// syntax.h's; which kinds and types a row allows is the verifier's, except for what the grammar itself
// excludes.
#pragma once

#include "isa/row.h"
#include "text/reader.h"
#include "text/writer.h"

namespace visor::text {

// Any operand of a field that text has among its operands.
[[nodiscard]] bool read_operand(Reader& reader, const isa::Field& field, Operand& operand);
// A surface or sampler, or a general variable with its handle.
[[nodiscard]] bool read_state_or_handle(Reader& reader, const isa::Field& field, Operand& operand);
void write_operand(Writer& writer, const isa::Field& field, const Operand& operand);

// V.offset; where `bare_allowed`, the offset 0 may be left out.
[[nodiscard]] bool read_raw(Reader& reader, Operand& operand, bool bare_allowed);
void write_raw(Writer& writer, const Operand& operand);
// The same without `.0`, as LSC messages have it.
void write_bare_raw(Writer& writer, const Operand& operand);

// A scalar of a message: V(row,column), V.column, V, A(element)<1>, or a number; no region, no type.
[[nodiscard]] bool read_place(Reader& reader, Operand& operand, isa::Type immediate_type);
void write_place(Writer& writer, const Operand& operand);

// V(row,column): the region of the last source of dpas is implied.
[[nodiscard]] bool read_simple_vector(Reader& reader, Operand& operand);
void write_simple_vector(Writer& writer, const Operand& operand);

// What the width of a literal field holds.
[[nodiscard]] uint64_t largest_literal(isa::FieldKind kind);
// A number that fits the field.
[[nodiscard]] bool read_literal(Reader& reader, const isa::Field& field, Operand& operand);

} // namespace visor::text
