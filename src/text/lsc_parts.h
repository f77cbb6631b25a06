// The parts of LSC messages' text that their forms share: data with a shape, addresses behind their model.
// Every part has a Reader's and a Writer's side of one name, so that a template spells a form for both.
#pragma once

#include "isa/codec.h"
#include "text/instruction.h"

#include <algorithm>

namespace visor::text::lsc {

using isa::Codec;
using isa::Field;
using isa::FieldKind;
using isa::Place;

// Codes of address types: flat may have a base, arg has nothing, surf a 64-bit place; and of data orders.
inline constexpr uint64_t flat = 1, arg = 5, surf = 6;
inline constexpr uint64_t untransposed = 1, transposed = 2;
inline constexpr uint64_t one_element = 1;

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

// V or V.offset
bool payload(Reader& reader, Operand& operand);
bool payload(Writer& writer, const Operand& operand);

// A scalar: V, V(row,column) or a number.
bool place(Reader& reader, Operand& operand, isa::Type immediate);
bool place(Writer& writer, const Operand& operand, isa::Type immediate);

// A word of a codec, all of a run of letters and digits.
bool word(Reader& reader, Codec codec, Operand& operand, std::string_view what);
bool word(Writer& writer, Codec codec, const Operand& operand, std::string_view what);

// +n or -n behind a coordinate; 32 bits, two's complement.
bool displacement(Reader& reader, Operand& operand);
bool displacement(Writer& writer, const Operand& operand);

// A number with a sign, in the same 32 bits.
bool signed_number(Reader& reader, Operand& operand);
bool signed_number(Writer& writer, const Operand& operand);

// In front of every operand: the compiler has two blanks.
void space(Reader& reader);
void space(Writer& writer);

// :d32x4t or :d32.xyzwt
bool elements_shape(Reader& reader, Fields<Operand>& fields);
bool elements_shape(Writer& writer, Fields<const Operand>& fields);

// model(surface,index); nothing behind the model of a flat address without a base
bool model(Reader& reader, Fields<Operand>& fields);
bool model(Writer& writer, Fields<const Operand>& fields);

template <class Walk, class Op>
bool data(Walk& walk, Fields<Op>& fields, std::string_view name) {
    space(walk);
    return payload(walk, fields[name]) && elements_shape(walk, fields);
}

// x+offset, y+offset] of a block
template <class Walk, class Op>
bool block_coordinates(Walk& walk, Fields<Op>& fields) {
    constexpr isa::Type ud = isa::Type::ud;
    return place(walk, fields["src0_addr_x"], ud) && displacement(walk, fields["x_offset"]) &&
           walk.mark(',') && place(walk, fields["src0_addr_y"], ud) &&
           displacement(walk, fields["y_offset"]) && walk.mark(']');
}

// What surrounds every message: suffixes, exec size, and null variables for what text did not give.
[[nodiscard]] bool read_message(Draft& draft, bool (*body)(Reader&, Fields<Operand>&));
void write_message(Writer& writer, const Instruction& instruction,
                   bool (*body)(Writer&, Fields<const Operand>&));
// What text does not say of coordinates is the null variable.
void default_coordinates(Instruction& instruction);

} // namespace visor::text::lsc
