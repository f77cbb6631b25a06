// 3_execution_model: sizes, masks, predicates, devices.
#include "cases.h"

#include <gtest/gtest.h>

namespace visor::verify {

namespace {

using enum Expect;

const Case cases[] = {
    // Ruling 13.
    {.rule = "<instruction>-device",
     .id = "qw-gather-device",
     .broken = "{{qw_gather.1 (M1, 8) T6 ud16.0 uq8.0}}",
     .message = "qw_gather does not exist on skl",
     .fixed = "qw_gather.1 (M1, 8) T6 ud16.0 uq8.0",
     .device = "skl",
     .fixed_device = "dg2",
     .note = "available on: xehp, dg2, mtl, arl, pvc, bmg, lnl, ptl, wcl, nvl-s, cri, nvl-p"},
    {.rule = "<instruction>-device",
     .id = "lrp-device",
     .broken = "{{lrp (M1, 8) f16(0,0)<1> f16(0,0)<1;1,0> f16(0,0)<1;1,0> f16(0,0)<1;1,0>}}",
     .message = "lrp does not exist on tgllp",
     .fixed = "lrp (M1, 8) f16(0,0)<1> f16(0,0)<1;1,0> f16(0,0)<1;1,0> f16(0,0)<1;1,0>",
     .device = "tgllp",
     .fixed_device = "skl",
     .note = "available on: skl"},
    {.rule = "<instruction>-device",
     .id = "lsc-extended-cache-ctrl-device",
     .broken = "{{lsc_extended_cache_ctrl.ugm.reset.64B (M1, 16) flat[uq16]:a64}}",
     .message = "lsc_extended_cache_ctrl does not exist on nvl-s",
     .fixed = "lsc_extended_cache_ctrl.ugm.reset.64B (M1, 16) flat[uq16]:a64",
     .device = "nvl-s",
     .fixed_device = "nvl-p",
     .note = "available on: cri, nvl-p"},

    // Ruling 4.
    {.rule = "<instruction>-exec-size",
     .id = "scatter4-scaled-exec-size",
     .broken = "{{scatter4_scaled.R (M1, 4) T6 0x0:ud ud16.0 ud16.0}}",
     .message = "the execution size of scatter4_scaled is 4; allowed: 8, 16",
     .fixed = "scatter4_scaled.R (M1, 8) T6 0x0:ud ud16.0 ud16.0",
     .igc = warning},
    {.rule = "<instruction>-exec-size",
     .id = "scatter4-scaled-exec-size",
     .broken = "{{scatter4_scaled.R (M1, 32) T6 0x0:ud ud64.0 ud64.0}}",
     .message = "the execution size of scatter4_scaled is 32; allowed: 8, 16",
     .fixed = "scatter4_scaled.R (M1, 16) T6 0x0:ud ud64.0 ud64.0"},
    // Ruling 20.
    {.rule = "<instruction>-exec-size",
     .id = "svm-atomic-exec-size",
     .broken = "{{svm_atomic.add (M1, 16) uq16.0 ud16.0 ud16.0 %null.0}}",
     .message = "the execution size of svm_atomic is 16; allowed: 1, 2, 4, 8",
     .fixed = "svm_atomic.add (M1, 8) uq16.0 ud16.0 ud16.0 %null.0"},
    {.rule = "<instruction>-exec-size",
     .id = "svm-atomic-exec-size",
     .broken = "{{svm_atomic.add (M1, 16) uq16.0 ud16.0 ud16.0 %null.0}}",
     .message = "the execution size of svm_atomic is 16; allowed: 1, 2, 4, 8",
     .fixed = "svm_atomic.add (M1, 8) uq16.0 ud16.0 ud16.0 %null.0",
     .igc = nothing,
     .device = "pvc"},
    // Ruling 6: SCATTER_SCALED lists 32, QW_GATHER does not.
    {.rule = "<instruction>-exec-size",
     .id = "qw-gather-exec-size",
     .broken = ".decl uq32 v_type=G type=uq num_elts=32 align=GRF\n"
               "{{qw_gather.1 (M1, 32) T6 ud64.0 uq32.0}}",
     .message = "the execution size of qw_gather is 32; allowed: 1, 2, 4, 8, 16",
     .fixed = "scatter_scaled.4 (M1, 32) T6 0x0:ud ud64.0 ud64.0"},
    {.rule = "<instruction>-exec-size",
     .id = "jmp-exec-size",
     .broken = "{{jmp (M1, 8) here}}\nhere:",
     .message = "the execution size of jmp is 8; allowed: 1",
     .fixed = "jmp (M1, 1) here\nhere:",
     .igc = warning},
    {.rule = "<instruction>-exec-size",
     .id = "mov-exec-size",
     .broken = "{{mov (M1, 8) ud16(0,0)<1> 0x0:ud}}",
     .message = "the execution size of mov is 3; allowed: 1, 2, 4, 8, 16, 32",
     .damage = [](Module& module) { first(module).execution.size = 3; }},

    {.rule = "mask-alignment",
     .broken = "{{scatter4_scaled.R (M2, 8) T6 0x0:ud ud16.0 ud16.0}}",
     .message = "mask M2 begins at lane 4, no multiple of the execution size 8",
     .fixed = "scatter4_scaled.R (M3, 8) T6 0x0:ud ud16.0 ud16.0",
     .igc = warning},
    {.rule = "mask-alignment",
     .broken = "{{mov (M4_NM, 16) ud16(0,0)<1> 0x0:ud}}",
     .message = "mask M4 begins at lane 12, no multiple of the execution size 16",
     .fixed = "mov (M4_NM, 4) ud16(0,0)<1> 0x0:ud",
     .igc = warning},

    {.rule = "mask-range",
     .broken = "{{scatter4_scaled.R (M8, 8) T6 0x0:ud ud16.0 ud16.0}}",
     .message = "mask M8 with execution size 8 means lanes 28 to 35; there are 32",
     .fixed = "scatter4_scaled.R (M7, 8) T6 0x0:ud ud16.0 ud16.0"},
    {.rule = "mask-range",
     .broken = "{{mov (M5, 32) uw64(0,0)<1> 0x0:uw}}",
     .message = "mask M5 with execution size 32 means lanes 16 to 47; there are 32",
     .fixed = "mov (M5, 16) ud16(0,0)<1> 0x0:ud"},

    // Ruling 31.
    {.rule = "simd-width",
     .broken = ".kernel_attr SimdSize=8\n{{mov (M1, 16) ud16(0,0)<1> 0x0:ud}}",
     .message = "lanes 0 to 15 reach beyond the kernel's SimdSize of 8; those beyond are off",
     .fixed = ".kernel_attr SimdSize=8\nmov (M1, 8) ud16(0,0)<1> 0x0:ud",
     .spec = warning,
     .igc = warning},
    {.rule = "simd-width",
     .broken = ".kernel_attr SimdSize=16\n{{mov (M5_NM, 8) ud16(0,0)<1> 0x0:ud}}",
     .message = "lanes 16 to 23 reach beyond the kernel's SimdSize of 16; with NM they run",
     .fixed = ".kernel_attr SimdSize=32\nmov (M5_NM, 8) ud16(0,0)<1> 0x0:ud",
     .spec = warning,
     .igc = warning},

    {.rule = "undeclared-variable",
     .broken = "{{(P16) mov (M1, 16) ud16(0,0)<1> 0x0:ud}}",
     .message = "predicate `P9` is not declared",
     .damage = [](Module& module) { first(module).predicate.id = 9; }},

    {.rule = "predicate-size",
     .broken = "{{(P8) mov (M1, 16) ud16(0,0)<1> 0x0:ud}}",
     .message = "predicate `P8` has 8 elements; the last lane's is 15",
     .fixed = "(P16) mov (M1, 16) ud16(0,0)<1> 0x0:ud",
     .igc = warning,
     .note = "declared here"},
    // The mask selects the predicate's elements as well.
    {.rule = "predicate-size",
     .broken = "{{(P16) mov (M5, 16) ud16(0,0)<1> 0x0:ud}}",
     .message = "predicate `P16` has 16 elements; the last lane's is 31",
     .fixed = "(P32) mov (M5, 16) ud16(0,0)<1> 0x0:ud",
     .igc = warning},

    {.rule = "no-predicate",
     .broken = "{{(P16) min (M1, 16) ud16(0,0)<1> ud16(0,0)<1;1,0> 0x1:ud}}",
     .message = "min cannot be predicated; a binary has no place for the predicate",
     .fixed = "min (M1, 16) ud16(0,0)<1> ud16(0,0)<1;1,0> 0x1:ud",
     .igc = warning},
};

TEST(Execution, EachCase) {
    check(cases);
}

} // namespace

std::span<const Case> execution_cases() {
    return cases;
}

} // namespace visor::verify
