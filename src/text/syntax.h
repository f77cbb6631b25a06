// Each part of an operand spelled once, walked both ways: `Walk` is the Reader, which fills the operand from
// text, or the Writer, which spells it. Every function begins behind the variable's name and returns whether
// all is well. What kind of operand stands somewhere is decided in operands.cpp.
#pragma once

#include "module/operand.h"

#include <cstdint>

namespace visor::text::syntax {

// (row,column)
template <class Walk, class Op>
[[nodiscard]] bool offsets(Walk& walk, Op& operand) {
    return walk.mark('(') && walk.number(operand.row, 0, 255, "a row") && walk.mark(',') &&
           walk.number(operand.column, 0, 255, "a column") && walk.mark(')');
}

// <vertical;width,horizontal>
template <class Walk, class Op>
[[nodiscard]] bool source_region(Walk& walk, Op& operand) {
    return walk.mark('<') && walk.region_part(operand.region.vertical, "a vertical stride") &&
           walk.mark(';') && walk.region_part(operand.region.width, "a width") && walk.mark(',') &&
           walk.region_part(operand.region.horizontal, "a horizontal stride") && walk.mark('>');
}

// <horizontal>
template <class Walk, class Op>
[[nodiscard]] bool destination_region(Walk& walk, Op& operand) {
    return walk.mark('<') && walk.region_part(operand.region.horizontal, "a horizontal stride") &&
           walk.close_destination();
}

// V(row,column)<v;w,h>
template <class Walk, class Op>
[[nodiscard]] bool general_source(Walk& walk, Op& operand) {
    return offsets(walk, operand) && source_region(walk, operand);
}

// V(row,column)<h>; V<h> means V(0,0)<h>
template <class Walk, class Op>
[[nodiscard]] bool general_destination(Walk& walk, Op& operand) {
    return (!walk.optional_part(walk.ahead('('), true) || offsets(walk, operand)) &&
           destination_region(walk, operand);
}

// V.offset
template <class Walk, class Op>
[[nodiscard]] bool raw(Walk& walk, Op& operand) {
    return walk.mark('.') && walk.raw_offset(operand.offset);
}

// A(element)
template <class Walk, class Op>
[[nodiscard]] bool element(Walk& walk, Op& operand) {
    return walk.mark('(') && walk.number(operand.column, 0, 255, "an element") && walk.mark(')');
}

// A(element)<width>
template <class Walk, class Op>
[[nodiscard]] bool address(Walk& walk, Op& operand) {
    return element(walk, operand) && walk.mark('<') && walk.lanes(operand.width) && walk.mark('>');
}

// Behind r[A: (element),offset]<region>:type. The offset may be left out; the region is a source's, a
// destination's or <width,horizontal>, with an address for each row.
template <class Walk, class Op>
[[nodiscard]] bool indirect(Walk& walk, Op& operand) {
    if (!element(walk, operand))
        return false;
    if (walk.optional_mark(',', true) && !walk.number(operand.offset, -32768, 32767, "an immediate offset"))
        return false;
    return walk.mark(']') && walk.any_region(operand.region) && walk.type_suffix(operand.type);
}

// Behind &V: [offset], nothing for 0.
template <class Walk, class Op>
[[nodiscard]] bool address_of(Walk& walk, Op& operand) {
    return !walk.optional_mark('[', operand.offset != 0) ||
           (walk.number(operand.offset, -32768, 32767, "a byte offset") && walk.mark(']'));
}

} // namespace visor::text::syntax
