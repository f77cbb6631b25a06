// Sub-opcodes by name, for the opcodes of which stages tell the rows apart (opcode.h). The rows have their
// numbers from here. Names are the mnemonics without their group.
#pragma once

#include <cstdint>

namespace visor::isa::sub_opcode {

namespace min_max {
enum : int16_t { min = 0, max = 1 };
}

namespace svm {
enum : int16_t {
    block_ld = 0x01,
    block_st = 0x02,
    gather = 0x03,
    scatter = 0x04,
    atomic = 0x05,
    gather4scaled = 0x06,
    scatter4scaled = 0x07,
};
}

// Untyped and typed messages share them.
namespace lsc {
enum : int16_t {
    load = 0x00,
    load_strided = 0x01,
    load_quad = 0x02,
    load_block2d = 0x03,
    store = 0x04,
    store_strided = 0x05,
    store_quad = 0x06,
    store_block2d = 0x07,
    atomic_iinc = 0x08,
    atomic_idec = 0x09,
    atomic_load = 0x0a,
    atomic_store = 0x0b,
    atomic_iadd = 0x0c,
    atomic_isub = 0x0d,
    atomic_smin = 0x0e,
    atomic_smax = 0x0f,
    atomic_umin = 0x10,
    atomic_umax = 0x11,
    atomic_icas = 0x12,
    atomic_fadd = 0x13,
    atomic_fsub = 0x14,
    atomic_fmin = 0x15,
    atomic_fmax = 0x16,
    atomic_fcas = 0x17,
    atomic_and = 0x18,
    atomic_or = 0x19,
    atomic_xor = 0x1a,
    load_status = 0x1b,
    store_uncompressed = 0x1c,
    ccs_update = 0x1d,
    read_state_info = 0x1e,
    atomic_bfadd = 0x21,
    atomic_bfsub = 0x22,
    atomic_bfmin = 0x23,
    atomic_bfmax = 0x24,
    atomic_bfcas = 0x25,
    apndctr_atomic_add = 0x28,
    apndctr_atomic_sub = 0x29,
    apndctr_atomic_store = 0x2a,
    load_quad_msrt = 0x31,
    store_quad_msrt = 0x32,
    extended_cache_ctrl = 0x33,
    load_quad_status = 0x36,
};
// Whether ch_mask says which components the message moves, instead of data_elems_per_addr.
[[nodiscard]] constexpr bool has_channels(int16_t sub) {
    return sub == load_quad || sub == store_quad || sub == load_quad_msrt || sub == store_quad_msrt ||
           sub == load_quad_status;
}
} // namespace lsc

// Of sample_3d, load_3d, sample4 and info, those that stages tell from their neighbours.
namespace sampler {
enum : int16_t { lod = 9, resinfo = 10, sample4_po = 17, sample4_po_c = 18, sample_lz = 24, load_mcs = 29 };
}

} // namespace visor::isa::sub_opcode
