// Rows of the LSC messages: untyped, typed and fence.
#include "isa/field.h"
#include "isa/lsc_format.h"
#include "isa/table.h"
#include "isa/well_formed.h"

namespace visor::isa::rows {

namespace {

using enum DeviceId;
using namespace lsc_format;

constexpr const char* no_page = "source: the compiler's LSC sub-opcode tables";
constexpr const char* untyped_page = "LSC_UNTYPED";
constexpr const char* typed_page = "LSC_TYPED";
constexpr DeviceSet newer = from(bmg); // the compiler's grammar has these for Xe2

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
