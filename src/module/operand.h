// An operand of a vISA instruction as plain data (5_operands.md). One struct for all kinds: the row's field
// says which members mean something.
#pragma once

#include "diagnostic/location.h"
#include "isa/type.h"

#include <cstdint>

namespace visor {

enum class OperandKind : uint8_t {
    absent,        // a literal or optional operand that text did not give
    general,       // V(row,col)<region>
    address,       // A(offset)<width>
    predicate,     // P as source or destination
    indirect,      // r[A(k), imm]<region>:type
    address_of,    // &V[offset], &T
    immediate,     // 0x4:ud
    state_surface, // T(offset) as a vector operand (movs)
    state_sampler, // S(offset)
    raw,           // V.offset
    surface,       // T as the surface of a message
    sampler,       // S as the sampler of a message
    label,         // a label's id
    string,        // index into the function's strings
    variable,      // lifetime: any variable, by id
    literal,       // a number of the format: block count, channel mask, ...
};

enum class SourceModifier : uint8_t { none = 0, abs = 1, neg = 2, neg_abs = 3, saturate = 4, bit_not = 5 };

// <vertical stride; width, horizontal stride> in elements. A destination has only `horizontal`; the VxH form
// <width,horizontal> of an indirect source has `vertical == region_absent`.
inline constexpr uint8_t region_absent = 0xff;
struct Region {
    uint8_t vertical = region_absent;
    uint8_t width = region_absent;
    uint8_t horizontal = region_absent;

    friend bool operator==(const Region&, const Region&) = default;
};

struct Operand {
    OperandKind kind = OperandKind::absent;
    SourceModifier modifier = SourceModifier::none;
    isa::Type type =
        isa::Type::ud; // immediate, indirect: its own; general, raw: not stored, the variable's counts
    Region region;
    uint8_t row = 0;    // general: in GRFs
    uint8_t column = 0; // general: in elements. address, indirect, state: element offset of the variable
    uint8_t width = 1;  // address operand: elements
    uint8_t klass = 0;  // variable: 0 general 1 address 2 predicate 3 sampler 4 surface
    uint32_t id =
        0; // vISA id: general from 32, predicate from 1, surface from 6, others from 0 (isa/predefined.h)
    int32_t offset = 0; // raw, address_of: bytes. indirect: immediate bytes
    uint64_t value = 0; // immediate: bits, zero-extended from the type's size. literal: the encoded field
    Location where;

    // Everything but the location.
    [[nodiscard]] bool same(const Operand& other) const;
};

// The null variable: reads as zero, writes go nowhere.
[[nodiscard]] inline bool is_null(const Operand& operand) {
    return (operand.kind == OperandKind::raw || operand.kind == OperandKind::general) && operand.id == 0;
}

} // namespace visor
