// The formats of the LSC messages. The wire has every operand for every message; what a message does not use
// is the null variable there and absent from text. The pages' formats are followed; what later compilers
// added to them (a surface index, offsets of single coordinates) exists in text alone. Only lsc.cpp includes
// it.
#pragma once

#include "isa/field.h"
#include "isa/lsc_code.h"

#include <array>
#include <string_view>

namespace visor::isa::rows::lsc_format {

inline constexpr OperandClasses surface_classes = class_general | class_immediate | class_address;

constexpr uint32_t bit(uint32_t code) {
    return uint32_t{1} << code;
}
inline constexpr Field any_sfid = byte_field("lsc_sfid", Codec::lsc_sfid, Place::suffix);
// In text `.tgm` makes a message a typed one, which is another row.
inline constexpr Field sfid = [] {
    constexpr uint32_t urb = 4;
    Field field = any_sfid;
    field.codes = bit(lsc::sfid_ugm) | bit(lsc::sfid_ugml) | bit(lsc::sfid_slm) | bit(urb);
    return field;
}();
inline constexpr Field caching_l1 = byte_field("caching_l1", Codec::lsc_cache, Place::suffix);
inline constexpr Field caching_l3 = byte_field("caching_l3", Codec::lsc_cache, Place::suffix);

// Of Xe3P, in text alone: with a third cache level the first two suffixes are those of L1 and L2; whether
// more than the message asks for may be fetched.
constexpr Field text_suffix(const char* name, Codec codec) {
    Field field = byte_field(name, codec, Place::suffix);
    field.text_only = true;
    return field;
}
inline constexpr Field third_cache = text_suffix("caching_third", Codec::lsc_cache);
inline constexpr Field overfetch = text_suffix("overfetch", Codec::lsc_overfetch);

inline constexpr Field addr_type = byte_field("addr_type", Codec::lsc_address_type, Place::form);
inline constexpr Field addr_scale{
    .kind = FieldKind::literal16, .name = "addr_scale", .place = Place::form, .fallback = 1};
inline constexpr Field addr_imm_offset =
    literal_field(FieldKind::literal32, "addr_imm_offset", Codec::plain, Place::form); // signed
inline constexpr Field addr_size = byte_field("addr_size", Codec::lsc_address_size, Place::form);
inline constexpr Field data_size = byte_field("data_size", Codec::lsc_data_size, Place::form);
inline constexpr Field data_order = byte_field("data_order", Codec::lsc_data_order, Place::form);
inline constexpr Field data_elems = byte_field("data_elems_per_addr", Codec::lsc_data_elements, Place::form);
inline constexpr Field ch_mask = byte_field("ch_mask", Codec::lsc_channel_mask, Place::form);

constexpr Field vector_place(const char* name, Place place) {
    return {.kind = FieldKind::scalar_src, .name = name, .classes = surface_classes, .place = place};
}
inline constexpr Field surface = vector_place("surface", Place::form);
constexpr Field text_literal(const char* name) {
    Field field = literal_field(FieldKind::literal32, name, Codec::plain, Place::form);
    field.text_only = true;
    return field;
}
inline constexpr Field surface_index = text_literal("surface_index");

inline constexpr Field dst_data = raw_result("dst_data", 0, Extent::lsc_data, true); // of append counters
inline constexpr Field src0_addrs = raw_source("src0_addrs", 0, Extent::lsc_address, true);
inline constexpr Field src0_data = raw_source("src0_data", 0, Extent::lsc_data, true);
inline constexpr Field src1_data = raw_source("src1_data", 0, Extent::lsc_data, true);
inline constexpr Field src2_data = raw_source("src2_data", 0, Extent::lsc_data, true);
inline constexpr Field block_result = raw_result("dst_data", 0, Extent::lsc_block, true);
inline constexpr Field block_source = raw_source("src1_data", 0, Extent::lsc_block, true);

// Which of dst_data, src1_data, src2_data a message uses.
struct Uses {
    bool dst;
    bool src1;
    bool src2;
    Extent result = Extent::lsc_data;
};
constexpr Field used_if(bool used, Field field) {
    return used ? field : unwritten(field);
}
constexpr Field result_of(Uses uses) {
    return used_if(uses.dst, raw_result("dst_data", 0, uses.result, true));
}

constexpr auto untyped_format(Uses uses) {
    return std::array{sub_field,
                      exec_field,
                      predicate_field,
                      sfid,
                      caching_l1,
                      caching_l3,
                      addr_type,
                      addr_scale,
                      addr_imm_offset,
                      addr_size,
                      data_size,
                      data_order,
                      data_elems,
                      ch_mask,
                      surface,
                      surface_index,
                      result_of(uses),
                      src0_addrs,
                      used_if(uses.src1, src1_data),
                      used_if(uses.src2, src2_data),
                      third_cache,
                      overfetch};
}
constexpr auto strided_format(Uses uses) {
    return std::array{sub_field,
                      exec_field,
                      predicate_field,
                      sfid,
                      caching_l1,
                      caching_l3,
                      addr_type,
                      addr_scale,
                      addr_imm_offset,
                      addr_size,
                      data_size,
                      data_order,
                      data_elems,
                      ch_mask,
                      surface,
                      surface_index,
                      result_of(uses),
                      raw_source("src0_addr_base", 0, Extent::lsc_base, true),
                      vector_place("src0_addr_pitch", Place::operand),
                      used_if(uses.src1, src1_data),
                      third_cache,
                      overfetch};
}
constexpr auto block2d_format(Uses uses) {
    return std::array{sub_field,
                      exec_field,
                      predicate_field,
                      sfid,
                      caching_l1,
                      caching_l3,
                      data_size,
                      data_order,
                      byte_field("blocks", Codec::plain, Place::form),
                      literal_field(FieldKind::literal16, "block_width", Codec::plain, Place::form),
                      literal_field(FieldKind::literal16, "block_height", Codec::plain, Place::form),
                      byte_field("vnni", Codec::plain, Place::form),
                      used_if(uses.dst, block_result),
                      vector_place("surface_base_addr", Place::operand),
                      vector_place("surface_width", Place::operand),
                      vector_place("surface_height", Place::operand),
                      vector_place("surface_pitch", Place::operand),
                      vector_place("src0_addr_x", Place::operand),
                      text_literal("x_offset"),
                      vector_place("src0_addr_y", Place::operand),
                      text_literal("y_offset"),
                      used_if(uses.src1, block_source),
                      third_cache,
                      overfetch};
}
inline constexpr std::array append_counter_format{
    sub_field,  exec_field, predicate_field, sfid,    caching_l1,    caching_l3, addr_type, data_size,
    data_order, data_elems, ch_mask,         surface, surface_index, dst_data,   src0_data, third_cache};

// Of compilers that know three cache levels: the wire has them all. The address is a 64-bit one, as it is.
inline constexpr std::array cache_control_format{
    sub_field,
    exec_field,
    predicate_field,
    with_codes(sfid, bit(lsc::sfid_ugm), 0),
    caching_l1,
    byte_field("caching_l2", Codec::lsc_cache, Place::suffix),
    caching_l3,
    byte_field("operation", Codec::lsc_cache_operation, Place::suffix),
    byte_field("size", Codec::lsc_cache_bytes, Place::suffix),
    with_codes(addr_type, bit(lsc::type_flat), 0),
    with_codes(addr_size, bit(lsc::a64), 0),
    raw_source("src0_addrs", 0, Extent::lsc_address)};

constexpr auto typed_format(Uses uses) {
    return std::array{sub_field,
                      exec_field,
                      predicate_field,
                      caching_l1,
                      caching_l3,
                      addr_type,
                      addr_size,
                      data_size,
                      data_order,
                      data_elems,
                      ch_mask,
                      surface,
                      surface_index,
                      result_of(uses),
                      raw_source("src0_addrs_u", 0, Extent::lsc_address, true),
                      text_literal("u_offset"),
                      raw_source("src0_addrs_v", 0, Extent::lsc_address, true),
                      text_literal("v_offset"),
                      raw_source("src0_addrs_r", 0, Extent::lsc_address, true),
                      text_literal("r_offset"),
                      raw_source("src0_addrs_lod", 0, Extent::lsc_address, true),
                      used_if(uses.src1, src1_data),
                      used_if(uses.src2, src2_data),
                      third_cache,
                      overfetch};
}
constexpr auto typed_block2d_format(Uses uses) {
    return std::array{sub_field,
                      caching_l1,
                      caching_l3,
                      addr_type,
                      literal_field(FieldKind::literal16, "block_width", Codec::plain, Place::form),
                      literal_field(FieldKind::literal16, "block_height", Codec::plain, Place::form),
                      surface,
                      surface_index,
                      used_if(uses.dst, block_result),
                      vector_place("src0_addr_x", Place::operand),
                      text_literal("x_offset"),
                      vector_place("src0_addr_y", Place::operand),
                      text_literal("y_offset"),
                      used_if(uses.src1, block_source),
                      third_cache};
}

inline constexpr Uses loads{.dst = true, .src1 = false, .src2 = false};
inline constexpr Uses stores{.dst = false, .src1 = true, .src2 = false};
inline constexpr Uses loads_status{.dst = true, .src1 = false, .src2 = false, .result = Extent::lsc_status};
inline constexpr Uses updates{.dst = true, .src1 = true, .src2 = true}; // text always has both sources

inline constexpr auto load_format = untyped_format(loads);
inline constexpr auto store_format = untyped_format(stores);
inline constexpr auto atomic_format = untyped_format(updates);
inline constexpr auto load_strided_format = strided_format(loads);
inline constexpr auto store_strided_format = strided_format(stores);
inline constexpr auto load_block2d_format = block2d_format(loads);
inline constexpr auto store_block2d_format = block2d_format(stores);
inline constexpr auto load_status_format = untyped_format(loads_status);
inline constexpr auto typed_load_format = typed_format(loads);
inline constexpr auto typed_load_status_format = typed_format(loads_status);
inline constexpr auto typed_store_format = typed_format(stores);
inline constexpr auto typed_atomic_format = typed_format(updates);
inline constexpr auto typed_load_block2d_format = typed_block2d_format(loads);
inline constexpr auto typed_store_block2d_format = typed_block2d_format(stores);
// What text does not say of a surface's state: a message of one shape.
inline constexpr auto state_info_format = [] {
    constexpr uint32_t sixteen = 6; // of data_elems_per_addr
    auto format = typed_load_format;
    const auto fix = [&format](std::string_view name, uint32_t code) {
        for (Field& field : format) {
            if (name != field.name)
                continue;
            field = unwritten(field);
            field.fallback = code;
        }
    };
    fix("addr_size", lsc::a32);
    fix("data_size", lsc::d32);
    fix("data_order", lsc::order_transposed);
    fix("data_elems_per_addr", sixteen);
    for (const char* const name : {"ch_mask", "src0_addrs_v", "src0_addrs_r", "src0_addrs_lod"})
        fix(name, 0);
    return format;
}();
inline constexpr std::array fence_format{exec_field, predicate_field, any_sfid,
                                         byte_field("lsc_fence_op", Codec::lsc_fence_op, Place::suffix),
                                         byte_field("lsc_scope", Codec::lsc_scope, Place::suffix)};

} // namespace visor::isa::rows::lsc_format
