// LSC_UNTYPED, LSC_TYPED, LSC_FENCE: what a message's literals and operands say together.
#include "cases.h"

#include <gtest/gtest.h>

namespace visor::verify {

namespace {

using enum Expect;

const Case cases[] = {
    // "The table below defines the allowable combinations"
    {.rule = "lsc-caching",
     .broken = "{{lsc_load.ugm.ca.wb (M1, 8) ud8:d32 flat[uq8]:a64}}",
     .message = "lsc_load has no caching .ca.wb",
     .fixed = "lsc_load.ugm.ca.ca (M1, 8) ud8:d32 flat[uq8]:a64"},
    {.rule = "lsc-caching",
     .broken = "{{lsc_store.ugm.ca.ca (M1, 8) flat[uq8]:a64 ud8:d32}}",
     .message = "lsc_store has no caching .ca.ca",
     .fixed = "lsc_store.ugm.wb.wb (M1, 8) flat[uq8]:a64 ud8:d32"},
    {.rule = "lsc-caching",
     .broken = "{{lsc_atomic_iinc.ugm.ca.wb (M1, 8) ud8:d32 flat[uq8]:a64 %null %null}}",
     .message = "lsc_atomic_iinc has no caching .ca.wb",
     .fixed = "lsc_atomic_iinc.ugm.uc.wb (M1, 8) ud8:d32 flat[uq8]:a64 %null %null"},
    // "These values must be set to default (.df) for SLM accesses"
    {.rule = "lsc-caching",
     .broken = "{{lsc_load.slm.uc.uc (M1, 8) ud8:d32 flat[ud8]:a32}}",
     .message = "shared local memory has the default caching only; this is .uc.uc",
     .fixed = "lsc_load.slm (M1, 8) ud8:d32 flat[ud8]:a32",
     .igc = warning},

    // "Note, transpose only supports SIMD1"; "Transpose is not permitted for atomic operations"
    {.rule = "lsc-data-shape",
     .broken = "{{lsc_load.ugm (M1, 8) ud64:d32x8t flat[uq8]:a64}}",
     .message = "a transposed message has the execution size 1, not 8",
     .fixed = "lsc_load.ugm (M1, 1) ud64:d32x8t flat[uq1]:a64"},
    {.rule = "lsc-data-shape",
     .broken = "{{lsc_load.ugm (M1, 8) ud64:d8x2 flat[uq8]:a64}}",
     .message = "vectors are of d32 or d64",
     .fixed = "lsc_load.ugm (M1, 8) ud64:d32x2 flat[uq8]:a64",
     .spec = nothing},
    {.rule = "lsc-data-shape",
     .broken = "{{lsc_store_quad.ugm (M1, 8) flat[uq8]:a64 ud64:d32.xz}}",
     .message = "channels that are stored are .x, .xy, .xyz or .xyzw",
     .fixed = "lsc_store_quad.ugm (M1, 8) flat[uq8]:a64 ud64:d32.xy",
     .spec = nothing,
     .device = "dg2"},
    {.rule = "lsc-data-shape",
     .broken = "{{lsc_atomic_fadd.slm (M1, 8) ud8:d32 flat[ud8]:a32 ud8 %null}}",
     .message = "this unit has no lsc_atomic_fadd",
     .fixed = "lsc_atomic_fadd.ugm (M1, 8) ud8:d32 flat[uq8]:a64 ud8 %null",
     .spec = nothing,
     .device = "dg2"},

    {.rule = "lsc-address",
     .broken = "{{lsc_load.slm (M1, 8) ud8:d32 flat[uq8]:a64}}",
     .message = "this unit has no addresses of 64 bits",
     .fixed = "lsc_load.slm (M1, 8) ud8:d32 flat[ud8]:a32",
     .spec = nothing},
    {.rule = "lsc-address",
     .broken = "{{lsc_load.slm (M1, 8) ud8:d32 bti(0x2)[ud8]:a32}}",
     .message = "shared local memory has flat addresses, no surface",
     .fixed = "lsc_load.ugm (M1, 8) ud8:d32 bti(0x2)[ud8]:a32",
     .spec = nothing},
    {.rule = "lsc-address",
     .broken = "{{lsc_load.ugm (M1, 8) ud8:d32 flat[3*uq8]:a64}}",
     .message = "the scale is 3, no power of two",
     .fixed = "lsc_load.ugm (M1, 8) ud8:d32 flat[4*uq8]:a64",
     .spec = nothing,
     .device = "dg2"},

    // "The store operation only stores one block."
    {.rule = "lsc-block",
     .broken = "{{lsc_store_block2d.ugm (M1, 1) flat[uq1,0x3f,0x7,0x3f,0x0,0x0] ud64:d32.1x8x8nt}}",
     .message = "a block that is stored cannot be transformed (vnni)",
     .fixed = "lsc_store_block2d.ugm (M1, 1) flat[uq1,0x3f,0x7,0x3f,0x0,0x0] ud64:d32.1x8x8nn",
     .spec = nothing,
     .device = "pvc"},
    {.rule = "lsc-block",
     .broken = "{{lsc_load_block2d.ugm (M1, 1) ud64:d32.3x4x4nn flat[uq1,0x3f,0x7,0x3f,0x0,0x0]}}",
     .message = "the message has 3 blocks; at most 2 are allowed, and not 3",
     .fixed = "lsc_load_block2d.ugm (M1, 1) ud64:d32.2x4x4nn flat[uq1,0x3f,0x7,0x3f,0x0,0x0]",
     .spec = nothing,
     .device = "pvc"},

    {.rule = "lsc-fence",
     .broken = "{{lsc_fence.slm.none.gpu}}",
     .message = "a fence of shared local memory is .none.group",
     .fixed = "lsc_fence.slm.none.group",
     .spec = nothing},

    // "For operations that do not use Src1Data or Src2Data, specify the null register"
    {.rule = "lsc-operands",
     .broken = "lsc_atomic_iinc.ugm (M1, 8) ud8:d32 flat[uq8]:a64 {{ud8}} %null",
     .message = "`src1_data` of lsc_atomic_iinc must be %null: there is no such source",
     .fixed = "lsc_atomic_iinc.ugm (M1, 8) ud8:d32 flat[uq8]:a64 %null %null"},
    {.rule = "lsc-operands",
     .broken = "lsc_atomic_icas.ugm (M1, 8) ud8:d32 flat[uq8]:a64 ud8 {{%null}}",
     .message = "`src2_data` of lsc_atomic_icas is the null variable, but is needed",
     .fixed = "lsc_atomic_icas.ugm (M1, 8) ud8:d32 flat[uq8]:a64 ud8 ud8"},
};

TEST(Lsc, EachCase) {
    check(cases);
}

} // namespace

std::span<const Case> lsc_cases() {
    return cases;
}

} // namespace visor::verify
