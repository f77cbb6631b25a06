// Rows of the LSC messages: untyped, typed and fence. The wire has every operand for every message; what a
// message does not use is the null variable there and absent from text. The pages' formats are followed; what
// later compilers added to them (a surface index, offsets of single coordinates) exists in text alone.
#include "isa/field.h"
#include "isa/lsc_code.h"
#include "isa/table.h"
#include "isa/well_formed.h"

#include <string_view>

namespace visor::isa::rows {

namespace {

using enum DeviceId;

constexpr const char* no_page = "source: the compiler's LSC sub-opcode tables";
constexpr const char* untyped_page = "LSC_UNTYPED";
constexpr const char* typed_page = "LSC_TYPED";
constexpr DeviceSet newer = from(bmg); // the compiler's grammar has these for Xe2

constexpr OperandClasses surface_classes = class_general | class_immediate | class_address;

constexpr uint32_t bit(uint32_t code) {
    return uint32_t{1} << code;
}
constexpr Field any_sfid = byte_field("lsc_sfid", Codec::lsc_sfid, Place::suffix);
// In text `.tgm` makes a message a typed one, which is another row.
constexpr Field sfid = [] {
    constexpr uint32_t urb = 4;
    Field field = any_sfid;
    field.codes = bit(lsc::sfid_ugm) | bit(lsc::sfid_ugml) | bit(lsc::sfid_slm) | bit(urb);
    return field;
}();
constexpr Field caching_l1 = byte_field("caching_l1", Codec::lsc_cache, Place::suffix);
constexpr Field caching_l3 = byte_field("caching_l3", Codec::lsc_cache, Place::suffix);

// Of Xe3P, in text alone: with a third cache level the first two suffixes are those of L1 and L2; whether
// more than the message asks for may be fetched.
constexpr Field text_suffix(const char* name, Codec codec) {
    Field field = byte_field(name, codec, Place::suffix);
    field.text_only = true;
    return field;
}
constexpr Field third_cache = text_suffix("caching_third", Codec::lsc_cache);
constexpr Field overfetch = text_suffix("overfetch", Codec::lsc_overfetch);

constexpr Field addr_type = byte_field("addr_type", Codec::lsc_address_type, Place::form);
constexpr Field addr_scale{
    .kind = FieldKind::literal16, .name = "addr_scale", .place = Place::form, .fallback = 1};
constexpr Field addr_imm_offset =
    literal_field(FieldKind::literal32, "addr_imm_offset", Codec::plain, Place::form); // signed
constexpr Field addr_size = byte_field("addr_size", Codec::lsc_address_size, Place::form);
constexpr Field data_size = byte_field("data_size", Codec::lsc_data_size, Place::form);
constexpr Field data_order = byte_field("data_order", Codec::lsc_data_order, Place::form);
constexpr Field data_elems = byte_field("data_elems_per_addr", Codec::lsc_data_elements, Place::form);
constexpr Field ch_mask = byte_field("ch_mask", Codec::lsc_channel_mask, Place::form);

constexpr Field vector_place(const char* name, Place place) {
    return {.kind = FieldKind::scalar_src, .name = name, .classes = surface_classes, .place = place};
}
constexpr Field surface = vector_place("surface", Place::form);
constexpr Field text_literal(const char* name) {
    Field field = literal_field(FieldKind::literal32, name, Codec::plain, Place::form);
    field.text_only = true;
    return field;
}
constexpr Field surface_index = text_literal("surface_index");

constexpr Field dst_data = raw_result("dst_data", 0, Extent::lsc_data, true); // of append counters
constexpr Field src0_addrs = raw_source("src0_addrs", 0, Extent::lsc_address, true);
constexpr Field src0_data = raw_source("src0_data", 0, Extent::lsc_data, true);
constexpr Field src1_data = raw_source("src1_data", 0, Extent::lsc_data, true);
constexpr Field src2_data = raw_source("src2_data", 0, Extent::lsc_data, true);
constexpr Field block_result = raw_result("dst_data", 0, Extent::lsc_block, true);
constexpr Field block_source = raw_source("src1_data", 0, Extent::lsc_block, true);

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
constexpr std::array append_counter_format{
    sub_field,  exec_field, predicate_field, sfid,    caching_l1,    caching_l3, addr_type, data_size,
    data_order, data_elems, ch_mask,         surface, surface_index, dst_data,   src0_data, third_cache};

// Of compilers that know three cache levels: the wire has them all. The address is a 64-bit one, as it is.
constexpr std::array cache_control_format{sub_field,
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

constexpr Uses loads{.dst = true, .src1 = false, .src2 = false};
constexpr Uses stores{.dst = false, .src1 = true, .src2 = false};
constexpr Uses loads_status{.dst = true, .src1 = false, .src2 = false, .result = Extent::lsc_status};
constexpr Uses updates{.dst = true, .src1 = true, .src2 = true}; // text always has both sources

constexpr auto load_format = untyped_format(loads);
constexpr auto store_format = untyped_format(stores);
constexpr auto atomic_format = untyped_format(updates);
constexpr auto load_strided_format = strided_format(loads);
constexpr auto store_strided_format = strided_format(stores);
constexpr auto load_block2d_format = block2d_format(loads);
constexpr auto store_block2d_format = block2d_format(stores);
constexpr auto load_status_format = untyped_format(loads_status);
constexpr auto typed_load_format = typed_format(loads);
constexpr auto typed_load_status_format = typed_format(loads_status);
constexpr auto typed_store_format = typed_format(stores);
constexpr auto typed_atomic_format = typed_format(updates);
constexpr auto typed_load_block2d_format = typed_block2d_format(loads);
constexpr auto typed_store_block2d_format = typed_block2d_format(stores);
// What text does not say of a surface's state: a message of one shape.
constexpr auto state_info_format = [] {
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
constexpr std::array fence_format{exec_field, predicate_field, any_sfid,
                                  byte_field("lsc_fence_op", Codec::lsc_fence_op, Place::suffix),
                                  byte_field("lsc_scope", Codec::lsc_scope, Place::suffix)};

constexpr uint32_t load_flags = reads_memory | can_fault;
constexpr uint32_t store_flags = writes_memory | can_fault;
constexpr uint32_t update_flags = reads_memory | writes_memory | atomic_access | can_fault;

constexpr Row untyped(int16_t sub, const char* mnemonic, std::span<const Field> format, uint32_t flags,
                      const char* semantics, const char* page = untyped_page, DeviceSet devices = from(dg2)) {
    return {.opcode = lsc_untyped_opcode,
            .sub = sub,
            .mnemonic = mnemonic,
            .family = Family::lsc,
            .format = format,
            .form = TextForm::lsc_untyped,
            .flags = flags,
            .devices = devices,
            .out_of_bounds = OutOfBounds::by_address_type,
            .page = page,
            .semantics = semantics};
}
constexpr Row block2d(int16_t sub, const char* mnemonic, std::span<const Field> format, uint32_t flags,
                      const char* semantics) {
    Row row = untyped(sub, mnemonic, format, flags, semantics);
    row.form = TextForm::lsc_block2d;
    row.exec_sizes = one_lane; // "block operations ... should be SIMD1"
    return row;
}
constexpr Row cache_control() {
    Row row = untyped(0x33, "lsc_extended_cache_ctrl", cache_control_format, 0,
                      "operation on the dirty bits of the size bytes at src0_addrs[i] in caches,\n"
                      "of which there are none here: no memory is looked at and none changes",
                      no_page, from(cri));
    row.out_of_bounds = OutOfBounds::not_applicable;
    return row;
}
constexpr Row update(int16_t sub, const char* mnemonic, const char* semantics) {
    return untyped(sub, mnemonic, atomic_format, update_flags, semantics);
}
constexpr Row newest_update(int16_t sub, const char* mnemonic, const char* semantics) {
    return untyped(sub, mnemonic, atomic_format, update_flags, semantics, no_page, from(cri));
}

constexpr Row typed(int16_t sub, const char* mnemonic, std::span<const Field> format, uint32_t flags,
                    const char* semantics, const char* page = typed_page, DeviceSet devices = from(dg2)) {
    return {.opcode = lsc_typed_opcode,
            .sub = sub,
            .mnemonic = mnemonic,
            .family = Family::lsc,
            .format = format,
            .form = TextForm::lsc_typed,
            .exec_sizes = up_to_16, // SIMD8 on dg2, SIMD16 from pvc on
            .flags = flags,
            .devices = devices,
            .out_of_bounds = OutOfBounds::zero_or_dropped,
            .page = page,
            .semantics = semantics};
}
constexpr Row typed_quad(int16_t sub, const char* mnemonic, std::span<const Field> format, uint32_t flags,
                         const char* semantics) {
    Row row = typed(sub, mnemonic, format, flags, semantics);
    row.exec_sizes = any_exec_size; // SIMD32 from Xe2 on
    return row;
}
constexpr Row typed_block2d(int16_t sub, const char* mnemonic, std::span<const Field> format, uint32_t flags,
                            const char* semantics) {
    Row row = typed(sub, mnemonic, format, flags | implicit_no_mask, semantics, typed_page, newer);
    row.exec_sizes = no_exec_size;
    return row;
}
constexpr Row typed_update(int16_t sub, const char* mnemonic, const char* semantics) {
    return typed(sub, mnemonic, typed_atomic_format, reads_memory | writes_memory | atomic_access, semantics);
}
constexpr Row state_info() {
    Row row = typed(0x1e, "lsc_read_state_info", state_info_format, reads_memory,
                    "dst_data = 16 dwords of the surface's state: dword 4 its type (0 to 2: one to\n"
                    "three dimensions, 4 a buffer, 7 none), dword 5 its format, the others zero");
    row.spellings = "lsc_read_surface_info"; // the page's word
    row.form = TextForm::lsc_state_info;
    row.exec_sizes = one_lane;
    return row;
}

constexpr std::array table{
    untyped(0x00, "lsc_load", load_format, load_flags,
            "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
            "component v of lane i of dst_data = element v at a[i]"),
    untyped(0x01, "lsc_load_strided", load_strided_format, load_flags,
            "a[i] = base + scaled src0_addr_base + i * src0_addr_pitch + addr_imm_offset\n"
            "component v of lane i of dst_data = element v at a[i]"),
    untyped(0x02, "lsc_load_quad", load_format, load_flags,
            "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
            "component k of lane i of dst_data = element v at a[i]\n"
            "for each enabled channel v of ch_mask, the k-th of them"),
    block2d(0x03, "lsc_load_block2d", load_block2d_format, load_flags,
            "dst_data = blocks of block_width x block_height elements, side by side, from\n"
            "column src0_addr_x and row src0_addr_y of the surface on; zero outside it\n"
            "rows, or transposed columns, are padded to a power of two"),
    untyped(0x04, "lsc_store", store_format, store_flags,
            "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
            "element v at a[i] = component v of lane i of src1_data"),
    untyped(0x05, "lsc_store_strided", store_strided_format, store_flags,
            "a[i] = base + scaled src0_addr_base + i * src0_addr_pitch + addr_imm_offset\n"
            "element v at a[i] = component v of lane i of src1_data"),
    untyped(0x06, "lsc_store_quad", store_format, store_flags,
            "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
            "element v at a[i] = component k of lane i of src1_data\n"
            "for each enabled channel v of ch_mask, the k-th of them"),
    block2d(0x07, "lsc_store_block2d", store_block2d_format, store_flags,
            "the block of block_width x block_height elements from column src0_addr_x and\n"
            "row src0_addr_y of the surface on = src1_data; outside it nothing is written"),
    update(0x08, "lsc_atomic_iinc",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; it becomes old + 1\n"
           "dst_data[i] = old"),
    update(0x09, "lsc_atomic_idec",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; it becomes old - 1\n"
           "dst_data[i] = old"),
    update(0x0a, "lsc_atomic_load",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "dst_data[i] = memory at a[i]"),
    update(0x0b, "lsc_atomic_store",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; it becomes src1_data[i]\n"
           "dst_data[i] = old"),
    update(0x0c, "lsc_atomic_iadd",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; it becomes old + src1_data[i]\n"
           "dst_data[i] = old"),
    update(0x0d, "lsc_atomic_isub",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; it becomes old - src1_data[i]\n"
           "dst_data[i] = old"),
    update(0x0e, "lsc_atomic_smin",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; it becomes min(old, src1_data[i]), signed\n"
           "dst_data[i] = old"),
    update(0x0f, "lsc_atomic_smax",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; it becomes max(old, src1_data[i]), signed\n"
           "dst_data[i] = old"),
    update(0x10, "lsc_atomic_umin",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; it becomes min(old, src1_data[i])\n"
           "dst_data[i] = old"),
    update(0x11, "lsc_atomic_umax",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; it becomes max(old, src1_data[i])\n"
           "dst_data[i] = old"),
    update(0x12, "lsc_atomic_icas",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; where it equals src1_data[i], it becomes src2_data[i]\n"
           "dst_data[i] = old"),
    update(0x13, "lsc_atomic_fadd",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; it becomes old + src1_data[i]\n"
           "dst_data[i] = old"),
    update(0x14, "lsc_atomic_fsub",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; it becomes old - src1_data[i]\n"
           "dst_data[i] = old"),
    update(0x15, "lsc_atomic_fmin",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; it becomes min(old, src1_data[i])\n"
           "dst_data[i] = old"),
    update(0x16, "lsc_atomic_fmax",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; it becomes max(old, src1_data[i])\n"
           "dst_data[i] = old"),
    update(0x17, "lsc_atomic_fcas",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; where it equals src1_data[i], it becomes src2_data[i]\n"
           "dst_data[i] = old"),
    update(0x18, "lsc_atomic_and",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; it becomes old & src1_data[i]\n"
           "dst_data[i] = old"),
    update(0x19, "lsc_atomic_or",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; it becomes old | src1_data[i]\n"
           "dst_data[i] = old"),
    update(0x1a, "lsc_atomic_xor",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; it becomes old ^ src1_data[i]\n"
           "dst_data[i] = old"),
    untyped(0x1b, "lsc_load_status", load_format, load_flags,
            "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
            "bit i of dst_data = 1 when all that lane i would load is mapped"),
    untyped(0x1c, "lsc_store_uncompressed", store_format, store_flags,
            "as lsc_store; the memory is not compressed"),
    untyped(0x1d, "lsc_ccs_update", store_format, 0,
            "updates the record of how memory is compressed, which it never is here: no\n"
            "memory changes",
            no_page, newer),
    newest_update(0x21, "lsc_atomic_bfadd",
                  "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
                  "old = memory at a[i]; it becomes old + src1_data[i]\n"
                  "dst_data[i] = old"),
    newest_update(0x22, "lsc_atomic_bfsub",
                  "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
                  "old = memory at a[i]; it becomes old - src1_data[i]\n"
                  "dst_data[i] = old"),
    newest_update(0x23, "lsc_atomic_bfmin",
                  "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
                  "old = memory at a[i]; it becomes min(old, src1_data[i])\n"
                  "dst_data[i] = old"),
    newest_update(0x24, "lsc_atomic_bfmax",
                  "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
                  "old = memory at a[i]; it becomes max(old, src1_data[i])\n"
                  "dst_data[i] = old"),
    newest_update(0x25, "lsc_atomic_bfcas",
                  "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
                  "old = memory at a[i]; where it equals src1_data[i], it becomes src2_data[i]\n"
                  "dst_data[i] = old"),
    untyped(0x28, "lsc_apndctr_atomic_add", append_counter_format, update_flags,
            "old = append counter of the surface; it becomes old + src0_data[i]\n"
            "dst_data[i] = old. Lanes take turns",
            untyped_page, newer),
    untyped(0x29, "lsc_apndctr_atomic_sub", append_counter_format, update_flags,
            "old = append counter of the surface; it becomes old - src0_data[i]\n"
            "dst_data[i] = old. Lanes take turns",
            untyped_page, newer),
    untyped(0x2a, "lsc_apndctr_atomic_store", append_counter_format, update_flags,
            "old = append counter of the surface; it becomes src0_data[i]\n"
            "dst_data[i] = old. Lanes take turns",
            no_page, newer),
    cache_control(),
    untyped(0x36, "lsc_load_quad_status", load_status_format, load_flags,
            "as lsc_load_quad; behind the data a bit for each lane: all of it is mapped", no_page, from(cri)),

    typed_quad(0x02, "lsc_load_quad", typed_load_format, reads_memory,
               "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
               "component k of lane i of dst_data = channel v of p[i]\n"
               "for each enabled channel v of ch_mask, the k-th of them"),
    typed_block2d(0x03, "lsc_load_block2d", typed_load_block2d_format, reads_memory,
                  "dst_data = block of block_width bytes x block_height rows of the surface, from\n"
                  "byte src0_addr_x of row src0_addr_y on; rows are padded to a power of two"),
    typed_quad(0x06, "lsc_store_quad", typed_store_format, writes_memory,
               "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
               "channel v of p[i] = component k of lane i of src1_data\n"
               "for each enabled channel v of ch_mask, the k-th of them"),
    typed_block2d(0x07, "lsc_store_block2d", typed_store_block2d_format, writes_memory,
                  "the block of block_width bytes x block_height rows of the surface from byte\n"
                  "src0_addr_x of row src0_addr_y on = src1_data; its rows are padded to a power\n"
                  "of two"),
    typed_update(0x08, "lsc_atomic_iinc",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; it becomes old + 1\n"
                 "dst_data[i] = old"),
    typed_update(0x09, "lsc_atomic_idec",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; it becomes old - 1\n"
                 "dst_data[i] = old"),
    typed_update(0x0a, "lsc_atomic_load", "dst_data[i] = pixel (u[i], v[i], r[i]) at level lod[i]"),
    typed_update(0x0b, "lsc_atomic_store",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; it becomes src1_data[i]\n"
                 "dst_data[i] = old"),
    typed_update(0x0c, "lsc_atomic_iadd",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; it becomes old + src1_data[i]\n"
                 "dst_data[i] = old"),
    typed_update(0x0d, "lsc_atomic_isub",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; it becomes old - src1_data[i]\n"
                 "dst_data[i] = old"),
    typed_update(0x0e, "lsc_atomic_smin",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; it becomes min(old, src1_data[i]), signed\n"
                 "dst_data[i] = old"),
    typed_update(0x0f, "lsc_atomic_smax",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; it becomes max(old, src1_data[i]), signed\n"
                 "dst_data[i] = old"),
    typed_update(0x10, "lsc_atomic_umin",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; it becomes min(old, src1_data[i])\n"
                 "dst_data[i] = old"),
    typed_update(0x11, "lsc_atomic_umax",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; it becomes max(old, src1_data[i])\n"
                 "dst_data[i] = old"),
    typed_update(0x12, "lsc_atomic_icas",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; where it equals src1_data[i], it becomes src2_data[i]\n"
                 "dst_data[i] = old"),
    typed_update(0x13, "lsc_atomic_fadd",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; it becomes old + src1_data[i]\n"
                 "dst_data[i] = old"),
    typed_update(0x14, "lsc_atomic_fsub",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; it becomes old - src1_data[i]\n"
                 "dst_data[i] = old"),
    typed_update(0x15, "lsc_atomic_fmin",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; it becomes min(old, src1_data[i])\n"
                 "dst_data[i] = old"),
    typed_update(0x16, "lsc_atomic_fmax",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; it becomes max(old, src1_data[i])\n"
                 "dst_data[i] = old"),
    typed_update(0x17, "lsc_atomic_fcas",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; where it equals src1_data[i], it becomes src2_data[i]\n"
                 "dst_data[i] = old"),
    typed_update(0x18, "lsc_atomic_and",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; it becomes old & src1_data[i]\n"
                 "dst_data[i] = old"),
    typed_update(0x19, "lsc_atomic_or",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; it becomes old | src1_data[i]\n"
                 "dst_data[i] = old"),
    typed_update(0x1a, "lsc_atomic_xor",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; it becomes old ^ src1_data[i]\n"
                 "dst_data[i] = old"),
    typed(0x1b, "lsc_load_status", typed_load_format, reads_memory,
          "bit i of dst_data = 1 when pixel (u[i], v[i], r[i]) at level lod[i] is mapped"),
    typed(0x1c, "lsc_store_uncompressed", typed_store_format, writes_memory,
          "as lsc_store_quad; the memory is not compressed"),
    typed(0x1d, "lsc_ccs_update", typed_store_format, 0,
          "updates the record of how pixels are compressed, which they never are here: no\n"
          "memory changes",
          no_page, newer),
    state_info(),
    typed(0x31, "lsc_load_quad_msrt", typed_load_format, reads_memory,
          "as lsc_load_quad, of sample lod[i] of pixel (u[i], v[i], r[i])", no_page, from(cri)),
    typed(0x32, "lsc_store_quad_msrt", typed_store_format, writes_memory,
          "as lsc_store_quad, to sample lod[i] of pixel (u[i], v[i], r[i])", no_page, from(cri)),
    typed(0x36, "lsc_load_quad_status", typed_load_status_format, reads_memory,
          "as lsc_load_quad; behind the data a bit for each lane: all of it is mapped", no_page, from(cri)),

    Row{.opcode = 0x8b,
        .mnemonic = "lsc_fence",
        .family = Family::lsc,
        .format = fence_format,
        .form = TextForm::lsc_fence,
        .exec_sizes = one_lane,
        .devices = from(dg2),
        .page = "LSC_FENCE",
        .semantics = "waits until what this thread did through lsc_sfid is seen by all of lsc_scope,\n"
                     "then does lsc_fence_op to the cache"},
};
static_assert(well_formed(table));

} // namespace

std::span<const Row> lsc() {
    return table;
}

} // namespace visor::isa::rows
