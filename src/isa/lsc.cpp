// Rows of the LSC messages: untyped, typed and fence.
#include "isa/field.h"
#include "isa/lsc_format.h"
#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "isa/sub_opcode.h"
#include "isa/table.h"
#include "isa/well_formed.h"

namespace visor::isa::rows {

namespace {

using enum DeviceId;
using namespace lsc_format;
namespace code = sub_opcode::lsc;

constexpr const char* no_page = "source: the compiler's LSC sub-opcode tables";
constexpr const char* untyped_page = "LSC_UNTYPED";
constexpr const char* typed_page = "LSC_TYPED";
constexpr DeviceSet newer = from(bmg); // the compiler's grammar has these for Xe2

constexpr uint32_t load_flags = reads_memory | can_fault;
constexpr uint32_t store_flags = writes_memory | can_fault;
constexpr uint32_t update_flags = reads_memory | writes_memory | atomic_access | can_fault;

constexpr Row untyped(int16_t sub, const char* mnemonic, std::span<const Field> format, uint32_t flags,
                      const char* semantics, const char* page = untyped_page, DeviceSet devices = from(dg2)) {
    return {.opcode = opcode::lsc_untyped,
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
    Row row = untyped(code::extended_cache_ctrl, "lsc_extended_cache_ctrl", cache_control_format, 0,
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
    return {.opcode = opcode::lsc_typed,
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
    Row row = typed(code::read_state_info, "lsc_read_state_info", state_info_format, reads_memory,
                    "dst_data = 16 dwords of the surface's state: dword 4 its type (0 to 2: one to\n"
                    "three dimensions, 4 a buffer, 7 none), dword 5 its format, the others zero");
    row.spellings = "lsc_read_surface_info"; // the page's word
    row.form = TextForm::lsc_state_info;
    row.exec_sizes = one_lane;
    return row;
}

constexpr std::array table{
    untyped(code::load, "lsc_load", load_format, load_flags,
            "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
            "component v of lane i of dst_data = element v at a[i]"),
    untyped(code::load_strided, "lsc_load_strided", load_strided_format, load_flags,
            "a[i] = base + scaled src0_addr_base + i * src0_addr_pitch + addr_imm_offset\n"
            "component v of lane i of dst_data = element v at a[i]"),
    untyped(code::load_quad, "lsc_load_quad", load_format, load_flags,
            "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
            "component k of lane i of dst_data = element v at a[i]\n"
            "for each enabled channel v of ch_mask, the k-th of them"),
    block2d(code::load_block2d, "lsc_load_block2d", load_block2d_format, load_flags,
            "dst_data = blocks of block_width x block_height elements, side by side, from\n"
            "column src0_addr_x and row src0_addr_y of the surface on; zero outside it\n"
            "rows, or transposed columns, are padded to a power of two"),
    untyped(code::store, "lsc_store", store_format, store_flags,
            "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
            "element v at a[i] = component v of lane i of src1_data"),
    untyped(code::store_strided, "lsc_store_strided", store_strided_format, store_flags,
            "a[i] = base + scaled src0_addr_base + i * src0_addr_pitch + addr_imm_offset\n"
            "element v at a[i] = component v of lane i of src1_data"),
    untyped(code::store_quad, "lsc_store_quad", store_format, store_flags,
            "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
            "element v at a[i] = component k of lane i of src1_data\n"
            "for each enabled channel v of ch_mask, the k-th of them"),
    block2d(code::store_block2d, "lsc_store_block2d", store_block2d_format, store_flags,
            "the block of block_width x block_height elements from column src0_addr_x and\n"
            "row src0_addr_y of the surface on = src1_data; outside it nothing is written"),
    update(code::atomic_iinc, "lsc_atomic_iinc",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; it becomes old + 1\n"
           "dst_data[i] = old"),
    update(code::atomic_idec, "lsc_atomic_idec",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; it becomes old - 1\n"
           "dst_data[i] = old"),
    update(code::atomic_load, "lsc_atomic_load",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "dst_data[i] = memory at a[i]"),
    update(code::atomic_store, "lsc_atomic_store",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; it becomes src1_data[i]\n"
           "dst_data[i] = old"),
    update(code::atomic_iadd, "lsc_atomic_iadd",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; it becomes old + src1_data[i]\n"
           "dst_data[i] = old"),
    update(code::atomic_isub, "lsc_atomic_isub",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; it becomes old - src1_data[i]\n"
           "dst_data[i] = old"),
    update(code::atomic_smin, "lsc_atomic_smin",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; it becomes min(old, src1_data[i]), signed\n"
           "dst_data[i] = old"),
    update(code::atomic_smax, "lsc_atomic_smax",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; it becomes max(old, src1_data[i]), signed\n"
           "dst_data[i] = old"),
    update(code::atomic_umin, "lsc_atomic_umin",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; it becomes min(old, src1_data[i])\n"
           "dst_data[i] = old"),
    update(code::atomic_umax, "lsc_atomic_umax",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; it becomes max(old, src1_data[i])\n"
           "dst_data[i] = old"),
    update(code::atomic_icas, "lsc_atomic_icas",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; where it equals src1_data[i], it becomes src2_data[i]\n"
           "dst_data[i] = old"),
    update(code::atomic_fadd, "lsc_atomic_fadd",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; it becomes old + src1_data[i]\n"
           "dst_data[i] = old"),
    update(code::atomic_fsub, "lsc_atomic_fsub",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; it becomes old - src1_data[i]\n"
           "dst_data[i] = old"),
    update(code::atomic_fmin, "lsc_atomic_fmin",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; it becomes min(old, src1_data[i])\n"
           "dst_data[i] = old"),
    update(code::atomic_fmax, "lsc_atomic_fmax",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; it becomes max(old, src1_data[i])\n"
           "dst_data[i] = old"),
    update(code::atomic_fcas, "lsc_atomic_fcas",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; where it equals src1_data[i], it becomes src2_data[i]\n"
           "dst_data[i] = old"),
    update(code::atomic_and, "lsc_atomic_and",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; it becomes old & src1_data[i]\n"
           "dst_data[i] = old"),
    update(code::atomic_or, "lsc_atomic_or",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; it becomes old | src1_data[i]\n"
           "dst_data[i] = old"),
    update(code::atomic_xor, "lsc_atomic_xor",
           "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
           "old = memory at a[i]; it becomes old ^ src1_data[i]\n"
           "dst_data[i] = old"),
    untyped(code::load_status, "lsc_load_status", load_format, load_flags,
            "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
            "bit i of dst_data = 1 when all that lane i would load is mapped"),
    untyped(code::store_uncompressed, "lsc_store_uncompressed", store_format, store_flags,
            "as lsc_store; the memory is not compressed"),
    untyped(code::ccs_update, "lsc_ccs_update", store_format, 0,
            "updates the record of how memory is compressed, which it never is here: no\n"
            "memory changes",
            no_page, newer),
    newest_update(code::atomic_bfadd, "lsc_atomic_bfadd",
                  "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
                  "old = memory at a[i]; it becomes old + src1_data[i]\n"
                  "dst_data[i] = old"),
    newest_update(code::atomic_bfsub, "lsc_atomic_bfsub",
                  "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
                  "old = memory at a[i]; it becomes old - src1_data[i]\n"
                  "dst_data[i] = old"),
    newest_update(code::atomic_bfmin, "lsc_atomic_bfmin",
                  "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
                  "old = memory at a[i]; it becomes min(old, src1_data[i])\n"
                  "dst_data[i] = old"),
    newest_update(code::atomic_bfmax, "lsc_atomic_bfmax",
                  "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
                  "old = memory at a[i]; it becomes max(old, src1_data[i])\n"
                  "dst_data[i] = old"),
    newest_update(code::atomic_bfcas, "lsc_atomic_bfcas",
                  "a[i] = base + addr_scale * src0_addrs[i] + addr_imm_offset\n"
                  "old = memory at a[i]; where it equals src1_data[i], it becomes src2_data[i]\n"
                  "dst_data[i] = old"),
    untyped(code::apndctr_atomic_add, "lsc_apndctr_atomic_add", append_counter_format, update_flags,
            "old = append counter of the surface; it becomes old + src0_data[i]\n"
            "dst_data[i] = old. Lanes take turns",
            untyped_page, newer),
    untyped(code::apndctr_atomic_sub, "lsc_apndctr_atomic_sub", append_counter_format, update_flags,
            "old = append counter of the surface; it becomes old - src0_data[i]\n"
            "dst_data[i] = old. Lanes take turns",
            untyped_page, newer),
    untyped(code::apndctr_atomic_store, "lsc_apndctr_atomic_store", append_counter_format, update_flags,
            "old = append counter of the surface; it becomes src0_data[i]\n"
            "dst_data[i] = old. Lanes take turns",
            no_page, newer),
    cache_control(),
    untyped(code::load_quad_status, "lsc_load_quad_status", load_status_format, load_flags,
            "as lsc_load_quad; behind the data a bit for each lane: all of it is mapped", no_page, from(cri)),

    typed_quad(code::load_quad, "lsc_load_quad", typed_load_format, reads_memory,
               "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
               "component k of lane i of dst_data = channel v of p[i]\n"
               "for each enabled channel v of ch_mask, the k-th of them"),
    typed_block2d(code::load_block2d, "lsc_load_block2d", typed_load_block2d_format, reads_memory,
                  "dst_data = block of block_width bytes x block_height rows of the surface, from\n"
                  "byte src0_addr_x of row src0_addr_y on; rows are padded to a power of two"),
    typed_quad(code::store_quad, "lsc_store_quad", typed_store_format, writes_memory,
               "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
               "channel v of p[i] = component k of lane i of src1_data\n"
               "for each enabled channel v of ch_mask, the k-th of them"),
    typed_block2d(code::store_block2d, "lsc_store_block2d", typed_store_block2d_format, writes_memory,
                  "the block of block_width bytes x block_height rows of the surface from byte\n"
                  "src0_addr_x of row src0_addr_y on = src1_data; its rows are padded to a power\n"
                  "of two"),
    typed_update(code::atomic_iinc, "lsc_atomic_iinc",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; it becomes old + 1\n"
                 "dst_data[i] = old"),
    typed_update(code::atomic_idec, "lsc_atomic_idec",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; it becomes old - 1\n"
                 "dst_data[i] = old"),
    typed_update(code::atomic_load, "lsc_atomic_load",
                 "dst_data[i] = pixel (u[i], v[i], r[i]) at level lod[i]"),
    typed_update(code::atomic_store, "lsc_atomic_store",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; it becomes src1_data[i]\n"
                 "dst_data[i] = old"),
    typed_update(code::atomic_iadd, "lsc_atomic_iadd",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; it becomes old + src1_data[i]\n"
                 "dst_data[i] = old"),
    typed_update(code::atomic_isub, "lsc_atomic_isub",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; it becomes old - src1_data[i]\n"
                 "dst_data[i] = old"),
    typed_update(code::atomic_smin, "lsc_atomic_smin",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; it becomes min(old, src1_data[i]), signed\n"
                 "dst_data[i] = old"),
    typed_update(code::atomic_smax, "lsc_atomic_smax",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; it becomes max(old, src1_data[i]), signed\n"
                 "dst_data[i] = old"),
    typed_update(code::atomic_umin, "lsc_atomic_umin",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; it becomes min(old, src1_data[i])\n"
                 "dst_data[i] = old"),
    typed_update(code::atomic_umax, "lsc_atomic_umax",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; it becomes max(old, src1_data[i])\n"
                 "dst_data[i] = old"),
    typed_update(code::atomic_icas, "lsc_atomic_icas",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; where it equals src1_data[i], it becomes src2_data[i]\n"
                 "dst_data[i] = old"),
    typed_update(code::atomic_fadd, "lsc_atomic_fadd",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; it becomes old + src1_data[i]\n"
                 "dst_data[i] = old"),
    typed_update(code::atomic_fsub, "lsc_atomic_fsub",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; it becomes old - src1_data[i]\n"
                 "dst_data[i] = old"),
    typed_update(code::atomic_fmin, "lsc_atomic_fmin",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; it becomes min(old, src1_data[i])\n"
                 "dst_data[i] = old"),
    typed_update(code::atomic_fmax, "lsc_atomic_fmax",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; it becomes max(old, src1_data[i])\n"
                 "dst_data[i] = old"),
    typed_update(code::atomic_fcas, "lsc_atomic_fcas",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; where it equals src1_data[i], it becomes src2_data[i]\n"
                 "dst_data[i] = old"),
    typed_update(code::atomic_and, "lsc_atomic_and",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; it becomes old & src1_data[i]\n"
                 "dst_data[i] = old"),
    typed_update(code::atomic_or, "lsc_atomic_or",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; it becomes old | src1_data[i]\n"
                 "dst_data[i] = old"),
    typed_update(code::atomic_xor, "lsc_atomic_xor",
                 "p[i] = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                 "old = p[i]; it becomes old ^ src1_data[i]\n"
                 "dst_data[i] = old"),
    typed(code::load_status, "lsc_load_status", typed_load_format, reads_memory,
          "bit i of dst_data = 1 when pixel (u[i], v[i], r[i]) at level lod[i] is mapped"),
    typed(code::store_uncompressed, "lsc_store_uncompressed", typed_store_format, writes_memory,
          "as lsc_store_quad; the memory is not compressed"),
    typed(code::ccs_update, "lsc_ccs_update", typed_store_format, 0,
          "updates the record of how pixels are compressed, which they never are here: no\n"
          "memory changes",
          no_page, newer),
    state_info(),
    typed(code::load_quad_msrt, "lsc_load_quad_msrt", typed_load_format, reads_memory,
          "as lsc_load_quad, of sample lod[i] of pixel (u[i], v[i], r[i])", no_page, from(cri)),
    typed(code::store_quad_msrt, "lsc_store_quad_msrt", typed_store_format, writes_memory,
          "as lsc_store_quad, to sample lod[i] of pixel (u[i], v[i], r[i])", no_page, from(cri)),
    typed(code::load_quad_status, "lsc_load_quad_status", typed_load_status_format, reads_memory,
          "as lsc_load_quad; behind the data a bit for each lane: all of it is mapped", no_page, from(cri)),

    Row{.opcode = opcode::lsc_fence,
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

// The mnemonics say it as well.
static_assert([] {
    for (const Row& row : table)
        if (code::has_channels(row.sub) != std::string_view(row.mnemonic).contains("_quad"))
            return false;
    return true;
}());

namespace order = operand_order;

// Loads, stores and atomics of one kind have one format; strided ones have a pitch before their data.
consteval bool is_untyped(std::span<const Field> format, std::string_view address, std::string_view src1,
                          std::string_view src2) {
    return has_operands(format, {{order::lsc_untyped::sfid, "lsc_sfid"},
                                 {order::lsc_untyped::caching_l1, "caching_l1"},
                                 {order::lsc_untyped::caching_l3, "caching_l3"},
                                 {order::lsc_untyped::addr_type, "addr_type"},
                                 {order::lsc_untyped::addr_scale, "addr_scale"},
                                 {order::lsc_untyped::addr_imm_offset, "addr_imm_offset"},
                                 {order::lsc_untyped::addr_size, "addr_size"},
                                 {order::lsc_untyped::data_size, "data_size"},
                                 {order::lsc_untyped::data_order, "data_order"},
                                 {order::lsc_untyped::data_elems, "data_elems_per_addr"},
                                 {order::lsc_untyped::ch_mask, "ch_mask"},
                                 {order::lsc_untyped::surface, "surface"},
                                 {order::lsc_untyped::surface_index, "surface_index"},
                                 {order::lsc_untyped::dst_data, "dst_data"},
                                 {order::lsc_untyped::src0_addrs, address},
                                 {order::lsc_untyped::src1_data, src1},
                                 {order::lsc_untyped::src2_data, src2}});
}
static_assert(is_untyped(load_format, "src0_addrs", "src1_data", "src2_data"));
static_assert(is_untyped(load_strided_format, "src0_addr_base", "src0_addr_pitch", "src1_data"));
static_assert(has_operands(load_block2d_format, {{order::lsc_block2d::sfid, "lsc_sfid"},
                                                 {order::lsc_block2d::caching_l1, "caching_l1"},
                                                 {order::lsc_block2d::caching_l3, "caching_l3"},
                                                 {order::lsc_block2d::data_size, "data_size"},
                                                 {order::lsc_block2d::data_order, "data_order"},
                                                 {order::lsc_block2d::blocks, "blocks"},
                                                 {order::lsc_block2d::block_width, "block_width"},
                                                 {order::lsc_block2d::block_height, "block_height"},
                                                 {order::lsc_block2d::vnni, "vnni"},
                                                 {order::lsc_block2d::dst_data, "dst_data"},
                                                 {order::lsc_block2d::surface_base, "surface_base_addr"},
                                                 {order::lsc_block2d::surface_width, "surface_width"},
                                                 {order::lsc_block2d::surface_height, "surface_height"},
                                                 {order::lsc_block2d::surface_pitch, "surface_pitch"},
                                                 {order::lsc_block2d::x, "src0_addr_x"},
                                                 {order::lsc_block2d::x_offset, "x_offset"},
                                                 {order::lsc_block2d::y, "src0_addr_y"},
                                                 {order::lsc_block2d::y_offset, "y_offset"},
                                                 {order::lsc_block2d::src1_data, "src1_data"}}));
static_assert(has_operands(append_counter_format, {{order::lsc_apndctr::sfid, "lsc_sfid"},
                                                   {order::lsc_apndctr::caching_l1, "caching_l1"},
                                                   {order::lsc_apndctr::caching_l3, "caching_l3"},
                                                   {order::lsc_apndctr::addr_type, "addr_type"},
                                                   {order::lsc_apndctr::data_size, "data_size"},
                                                   {order::lsc_apndctr::data_order, "data_order"},
                                                   {order::lsc_apndctr::data_elems, "data_elems_per_addr"},
                                                   {order::lsc_apndctr::ch_mask, "ch_mask"},
                                                   {order::lsc_apndctr::surface, "surface"},
                                                   {order::lsc_apndctr::surface_index, "surface_index"},
                                                   {order::lsc_apndctr::dst_data, "dst_data"},
                                                   {order::lsc_apndctr::src0_data, "src0_data"}}));
static_assert(has_operands(typed_load_format, {{order::lsc_typed::caching_l1, "caching_l1"},
                                               {order::lsc_typed::caching_l3, "caching_l3"},
                                               {order::lsc_typed::addr_type, "addr_type"},
                                               {order::lsc_typed::addr_size, "addr_size"},
                                               {order::lsc_typed::data_size, "data_size"},
                                               {order::lsc_typed::data_order, "data_order"},
                                               {order::lsc_typed::data_elems, "data_elems_per_addr"},
                                               {order::lsc_typed::ch_mask, "ch_mask"},
                                               {order::lsc_typed::surface, "surface"},
                                               {order::lsc_typed::surface_index, "surface_index"},
                                               {order::lsc_typed::dst_data, "dst_data"},
                                               {order::lsc_typed::u, "src0_addrs_u"},
                                               {order::lsc_typed::u_offset, "u_offset"},
                                               {order::lsc_typed::v, "src0_addrs_v"},
                                               {order::lsc_typed::v_offset, "v_offset"},
                                               {order::lsc_typed::r, "src0_addrs_r"},
                                               {order::lsc_typed::r_offset, "r_offset"},
                                               {order::lsc_typed::lod, "src0_addrs_lod"},
                                               {order::lsc_typed::src1_data, "src1_data"},
                                               {order::lsc_typed::src2_data, "src2_data"}}));
static_assert(has_operands(typed_load_block2d_format,
                           {{order::lsc_typed_block2d::caching_l1, "caching_l1"},
                            {order::lsc_typed_block2d::caching_l3, "caching_l3"},
                            {order::lsc_typed_block2d::addr_type, "addr_type"},
                            {order::lsc_typed_block2d::block_width, "block_width"},
                            {order::lsc_typed_block2d::block_height, "block_height"},
                            {order::lsc_typed_block2d::surface, "surface"},
                            {order::lsc_typed_block2d::surface_index, "surface_index"},
                            {order::lsc_typed_block2d::dst_data, "dst_data"},
                            {order::lsc_typed_block2d::x, "src0_addr_x"},
                            {order::lsc_typed_block2d::x_offset, "x_offset"},
                            {order::lsc_typed_block2d::y, "src0_addr_y"},
                            {order::lsc_typed_block2d::y_offset, "y_offset"},
                            {order::lsc_typed_block2d::src1_data, "src1_data"}}));

} // namespace

std::span<const Row> lsc() {
    return table;
}

} // namespace visor::isa::rows
