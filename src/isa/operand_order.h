// Where operands are in an instruction, for the stages that read them by index: a namespace a format,
// operands in wire order. The rows' files compare each index with the format at compile time (well_formed.h,
// has_operands). `data` is what a load writes and a store reads.
#pragma once

#include <cstdint>

namespace visor::isa::operand_order {

// ---- flat messages
namespace svm_block {
enum : uint8_t { properties, address, data };
}
namespace svm_gather { // and svm_scatter
enum : uint8_t { block_size, num_blocks, addresses, data };
}
namespace svm_gather4scaled { // and svm_scatter4scaled
enum : uint8_t { channels, scale, address, element_offset, data };
}
namespace svm_atomic {
enum : uint8_t { op, addresses, src0, src1, dst };
}

// ---- surface messages
namespace oword_ld { // and oword_ld_unaligned
enum : uint8_t { size, is_modified, surface, offset, dst };
}
namespace oword_st {
enum : uint8_t { size, surface, offset, src };
}
namespace gather {
enum : uint8_t { elt_size, is_modified, num_elts, surface, global_offset, element_offset, dst };
}
namespace scatter {
enum : uint8_t { elt_size, num_elts, surface, global_offset, element_offset, src };
}
namespace gather_scaled { // and scatter_scaled
enum : uint8_t { block_size, num_blocks, scale, surface, offset, element_offset, data };
}
namespace gather4_scaled { // and scatter4_scaled
enum : uint8_t { channels, scale, surface, offset, element_offset, data };
}
namespace qw_gather { // and qw_scatter
enum : uint8_t { num_blocks, surface, offset, data };
}
namespace dword_atomic {
enum : uint8_t { op, surface, element_offset, src0, src1, dst };
}

// ---- images
namespace gather4_typed { // and scatter4_typed
enum : uint8_t { channels, surface, u, v, r, lod, data };
}
namespace typed_atomic {
enum : uint8_t { op, surface, u, v, r, lod, src0, src1, dst };
}
namespace media { // media_ld and media_st
enum : uint8_t { modifiers, surface, plane, block_width, block_height, x_offset, y_offset, data };
}
namespace sample_3d { // and sample4
enum : uint8_t { op, channels, offsets, sampler, surface, dst, paired, count, first_parameter };
}
namespace load_3d {
enum : uint8_t { op, channels, offsets, surface, dst, paired, count, first_parameter };
}
namespace sample {
enum : uint8_t { channels_simd, sampler, surface, u, v, r, dst };
}
namespace load {
enum : uint8_t { channels_simd, surface, u, v, r, dst };
}
namespace resinfo {
enum : uint8_t { channels, surface, lod, dst };
}
namespace sampleinfo {
enum : uint8_t { channels, surface, dst };
}

// ---- LSC
namespace lsc_untyped {
enum : uint8_t {
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
    dst_data,
    src0_addrs,
    src1_data,
    src2_data,
    // Strided messages have the pitch in the place of src1.
    strided_pitch = src1_data,
    strided_src1 = src2_data,
};
}
namespace lsc_block2d {
enum : uint8_t {
    sfid,
    caching_l1,
    caching_l3,
    data_size,
    data_order,
    blocks,
    block_width,
    block_height,
    vnni,
    dst_data,
    surface_base,
    surface_width,
    surface_height,
    surface_pitch,
    x,
    x_offset,
    y,
    y_offset,
    src1_data,
};
}
namespace lsc_apndctr {
enum : uint8_t {
    sfid,
    caching_l1,
    caching_l3,
    addr_type,
    data_size,
    data_order,
    data_elems,
    ch_mask,
    surface,
    surface_index,
    dst_data,
    src0_data,
};
}
namespace lsc_typed {
enum : uint8_t {
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
    dst_data,
    u,
    u_offset,
    v,
    v_offset,
    r,
    r_offset,
    lod,
    src1_data,
    src2_data,
};
}
namespace lsc_typed_block2d {
enum : uint8_t {
    caching_l1,
    caching_l3,
    addr_type,
    block_width,
    block_height,
    surface,
    surface_index,
    dst_data,
    x,
    x_offset,
    y,
    y_offset,
    src1_data,
};
}

// ---- what does not begin with dst, src0 ...
namespace cmp {
enum : uint8_t { rel_op, dst, src0, src1 };
}
namespace addc { // and subb
enum : uint8_t { dst, flag, src0, src1 };
}
namespace bfn {
enum : uint8_t { dst, src0, src1, src2, boolean_func_ctrl };
}
namespace lfsr {
enum : uint8_t { func_ctrl, dst, src0, src1 };
}
namespace faddr {
enum : uint8_t { func_id, dst };
}
namespace nbarrier { // of sbarrier the mode alone
enum : uint8_t { mode, id, type, num_producers, num_consumers };
}

// ---- matrices
namespace dpas { // and dpasw
enum : uint8_t { dst, src0, src1, src2, info_word };
}
namespace bdpas {
enum : uint8_t { dst, src0, src1, src2, src3, src4, info_word };
}
namespace dnscl {
enum : uint8_t { conversion, mode, rounding, dst, src0, src1, src2 };
}

} // namespace visor::isa::operand_order
