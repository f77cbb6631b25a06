// Type sets, operand classes and fields that the rows of several families share. Only isa/<family>.cpp
// includes it: everyone else reads the rows.
#pragma once

#include "isa/row.h"

#include <array>
#include <span>

namespace visor::isa {

inline constexpr TypeSet floats = types(Type::f, Type::hf);
inline constexpr TypeSet floats_df = types(Type::f, Type::hf, Type::df);
inline constexpr TypeSet small_integers =
    types(Type::ub, Type::b, Type::uw, Type::w, Type::ud, Type::d); // up to 32 bits
inline constexpr TypeSet integers = small_integers | types(Type::uq, Type::q);
inline constexpr TypeSet dwords = types(Type::ud, Type::d);
inline constexpr TypeSet words_dwords = types(Type::uw, Type::w, Type::ud, Type::d);
inline constexpr TypeSet dword_data = types(Type::ud, Type::d, Type::f); // what surface messages carry
inline constexpr TypeSet qword_data = types(Type::q, Type::uq, Type::df);
inline constexpr TypeSet one_ud = types(Type::ud);
inline constexpr TypeSet one_uq = types(Type::uq);
inline constexpr TypeSet one_f = types(Type::f);

// What a source takes beyond the types of its page: packed immediates stand for vectors of words or floats
// (2_datatypes.md), wherever those are allowed.
[[nodiscard]] constexpr TypeSet with_packed(TypeSet set) {
    if (contains(set, Type::w))
        set |= types(Type::v, Type::uv);
    else if (contains(set, Type::uw))
        set |= types(Type::uv);
    if (contains(set, Type::f))
        set |= types(Type::vf);
    return set;
}

inline constexpr OperandClasses dst_classes = class_general | class_indirect;
inline constexpr OperandClasses src_classes = class_general | class_indirect | class_immediate;

inline constexpr Field exec_field{.kind = FieldKind::exec, .name = "exec_size"};
inline constexpr Field predicate_field{.kind = FieldKind::predicate, .name = "pred"};
inline constexpr Field sub_field{.kind = FieldKind::sub_opcode, .name = "sub_opcode"};
inline constexpr Field surface_field{.kind = FieldKind::surface, .name = "surface"};
inline constexpr Field sampler_field{.kind = FieldKind::sampler, .name = "sampler"};

[[nodiscard]] constexpr Field dst_field(TypeSet set, OperandClasses classes = dst_classes) {
    return {.kind = FieldKind::vector_dst, .name = "dst", .types = set, .classes = classes};
}
[[nodiscard]] constexpr Field src_field(const char* name, TypeSet set, OperandClasses classes = src_classes) {
    return {.kind = FieldKind::vector_src, .name = name, .types = set, .classes = classes};
}
[[nodiscard]] constexpr Field scalar_field(const char* name, TypeSet set,
                                           OperandClasses classes = src_classes) {
    return {.kind = FieldKind::scalar_src, .name = name, .types = set, .classes = classes};
}
[[nodiscard]] constexpr Field raw_source(const char* name, TypeSet set, Extent extent,
                                         bool nullable = false) {
    return {.kind = FieldKind::raw_src, .name = name, .types = set, .extent = extent, .nullable = nullable};
}
[[nodiscard]] constexpr Field raw_result(const char* name, TypeSet set, Extent extent,
                                         bool nullable = false) {
    return {.kind = FieldKind::raw_dst, .name = name, .types = set, .extent = extent, .nullable = nullable};
}
[[nodiscard]] constexpr Field literal_field(FieldKind width, const char* name, Codec codec, Place place) {
    return {.kind = width, .name = name, .codec = codec, .place = place};
}
[[nodiscard]] constexpr Field byte_field(const char* name, Codec codec, Place place) {
    return literal_field(FieldKind::literal8, name, codec, place);
}
// "This field is ignored": the page keeps a place for it and nobody reads it.
[[nodiscard]] constexpr Field ignored_field(FieldKind width, const char* name) {
    return literal_field(width, name, Codec::plain, Place::hidden);
}
// An operand that the wire has and text leaves out.
[[nodiscard]] constexpr Field unwritten(Field field) {
    field.place = Place::hidden;
    return field;
}

[[nodiscard]] constexpr Field emitted_also(Field field, TypeSet set) {
    field.emitted = set;
    return field;
}

// The page's codes of a literal, bit by bit, and those that only the compiler takes.
[[nodiscard]] constexpr Field with_codes(Field field, uint32_t codes, uint32_t emitted) {
    field.codes = codes;
    field.emitted_codes = emitted;
    return field;
}

// exec, pred, dst and one to three sources of one kind.
template <TypeSet D, TypeSet S = with_packed(D)>
inline constexpr std::array unary_format{exec_field, predicate_field, dst_field(D), src_field("src0", S)};
template <TypeSet D, TypeSet S = with_packed(D)>
inline constexpr std::array binary_format{exec_field, predicate_field, dst_field(D), src_field("src0", S),
                                          src_field("src1", S)};
template <TypeSet D, TypeSet S = with_packed(D)>
inline constexpr std::array ternary_format{exec_field,           predicate_field,      dst_field(D),
                                           src_field("src0", S), src_field("src1", S), src_field("src2", S)};

// Exec sizes, as bits of Row::exec_sizes.
inline constexpr uint8_t no_exec_size = 0;
inline constexpr uint8_t one_lane = 0x01;
inline constexpr uint8_t up_to_8 = 0x0f;
inline constexpr uint8_t up_to_16 = 0x1f;
inline constexpr uint8_t any_exec_size = 0x3f;
inline constexpr uint8_t lanes_8_16 = 0x18;
inline constexpr uint8_t lanes_8_16_32 = 0x38;
inline constexpr uint8_t lanes_8 = 0x08;
inline constexpr uint8_t lanes_16 = 0x10;
inline constexpr uint8_t lanes_16_32 = 0x30;

} // namespace visor::isa
