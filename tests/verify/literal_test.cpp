// Literal fields and what follows from them; spellings.
#include "cases.h"

#include <gtest/gtest.h>

namespace visor::verify {

namespace {

using enum Expect;

const Case cases[] = {
    // Ruling 7.
    {.rule = "<instruction>-<operand>-code",
     .id = "scatter-scaled-num-blocks-code",
     .broken = "scatter_scaled.{{8}} (M1, 16) T6 0x0:ud ud16.0 ud16.0",
     .message = "`num_blocks` of scatter_scaled is 8; allowed: 1, 2, 4",
     .fixed = "scatter_scaled.4 (M1, 16) T6 0x0:ud ud16.0 ud16.0"},
    // Ruling 11.
    {.rule = "<instruction>-<operand>-code",
     .id = "qw-gather-num-blocks-code",
     .broken = "qw_gather.{{2}} (M1, 8) T6 ud16.0 uq16.0",
     .message = "`num_blocks` of qw_gather is 2; allowed: 1",
     .fixed = "qw_gather.1 (M1, 8) T6 ud16.0 uq16.0",
     .igc = nothing},
    // Ruling 18.
    {.rule = "<instruction>-<operand>-code",
     .id = "svm-block-ld-properties-code",
     .broken = "svm_block_ld ({{16}}) uq1(0,0)<0;1,0> ud64.0",
     .message = "`properties` of svm_block_ld is 16; allowed: 1, 2, 4, 8",
     .fixed = "svm_block_ld (8) uq1(0,0)<0;1,0> ud64.0",
     .igc = nothing},
    {.rule = "<instruction>-<operand>-code",
     .id = "scatter4-scaled-channels-code",
     .broken = "scatter4_scaled.{{0}} (M1, 16) T6 0x0:ud ud16.0 ud16.0",
     .message = "`channels` of scatter4_scaled enables no channel; at least one is needed",
     .fixed = "scatter4_scaled.A (M1, 16) T6 0x0:ud ud16.0 ud16.0",
     .igc = warning},
    {.rule = "<instruction>-<operand>-code",
     .id = "cmp-rel-op-code",
     .broken = "cmp.{{eq}} (M1, 16) P16 ud16(0,0)<1;1,0> 0x1:ud",
     .message = "`rel_op` of cmp is code 6; allowed: eq, ne, gt, ge, lt, le",
     .damage = [](Module& module) { first(module).operands[0].value = 6; }},
    // Ruling 36.
    {.rule = "<instruction>-<operand>-code",
     .id = "svm-atomic-op-code",
     .broken = "svm_atomic.{{fadd}} (M1, 8) uq8.0 f16.0 f16.0 %null.0",
     .message = "`op` of svm_atomic is fadd, which the page does not have",
     .fixed = "svm_atomic.fmax (M1, 8) uq8.0 f16.0 f16.0 %null.0",
     .igc = nothing},
    // Ruling 26.
    {.rule = "<instruction>-<operand>-code",
     .id = "svm-atomic-op-code",
     .broken = "svm_atomic.{{add}} (M1, 8) uq8.0 ud16.0 ud16.0 %null.0",
     .message = "`op` of svm_atomic has width code 3; widths are 16, 32, 64",
     .damage = [](Module& module) { first(module).operands[0].value = 0x60; }},
    {.rule = "<instruction>-<operand>-code",
     .id = "svm-atomic-op-code",
     .broken = "svm_atomic.{{add}} (M1, 8) uq8.0 ud16.0 ud16.0 %null.0",
     .message = "`op` of svm_atomic is code 14, which no operation has",
     .damage = [](Module& module) { first(module).operands[0].value = 0x0e; }},
    {.rule = "<instruction>-<operand>-code",
     .id = "dword-atomic-op-code",
     .broken = "dword_atomic.{{add}} (M1, 8) T6 ud16.0 %null.0 %null.0 %null.0",
     .message = "dword_atomic works on 16 and 32 bits; only svm_atomic has .64",
     .fixed = "dword_atomic.inc (M1, 8) T6 ud16.0 %null.0 %null.0 %null.0",
     .damage = [](Module& module) { first(module).operands[0].value = 0x42; }},
    // IGC's verifyExtendedCacheCtrlInst, and the operation that its enumeration does not have.
    {.rule = "<instruction>-<operand>-code",
     .id = "lsc-extended-cache-ctrl-lsc-sfid-code",
     .broken = "lsc_extended_cache_ctrl.{{slm}}.reset.64B (M1, 16) flat[uq16]:a64",
     .message = "`lsc_sfid` of lsc_extended_cache_ctrl is slm; allowed: ugm",
     .fixed = "lsc_extended_cache_ctrl.ugm.reset.64B (M1, 16) flat[uq16]:a64"},
    {.rule = "<instruction>-<operand>-code",
     .id = "lsc-extended-cache-ctrl-addr-size-code",
     .broken = "lsc_extended_cache_ctrl.ugm.reset.64B (M1, 16) flat[ud16]:{{a32}}",
     .message = "`addr_size` of lsc_extended_cache_ctrl is a32; allowed: a64",
     .fixed = "lsc_extended_cache_ctrl.ugm.reset.64B (M1, 16) flat[uq16]:a64"},
    {.rule = "<instruction>-<operand>-code",
     .id = "lsc-extended-cache-ctrl-operation-code",
     .broken = "lsc_extended_cache_ctrl.ugm.{{reset}}.64B (M1, 16) flat[uq16]:a64",
     .message = "`operation` of lsc_extended_cache_ctrl is code 0; allowed: reset",
     .damage = [](Module& module) { first(module).operands[4].value = 0; }},
    // Codes that no word stands for: text could not give them back.
    {.rule = "<instruction>-<operand>-code",
     .id = "lsc-load-lsc-sfid-code",
     .broken = "lsc_load.{{ugm}} (M1, 16) ud16:d32 bti(0x2)[ud16]:a32",
     .message = "`lsc_sfid` of lsc_load is tgm; allowed: ugm, ugml, slm, urb",
     .damage = [](Module& module) { first(module).operands[0].value = 2; }},
    {.rule = "<instruction>-<operand>-code",
     .id = "nbarrier-mode-code",
     .broken = "nbarrier.{{signal}} 0x1:ub 0x4:ub",
     .message = "`mode` of nbarrier is code 3; the last one is 2",
     .damage = [](Module& module) { first(module).operands[0].value = 3; }},
    {.rule = "<instruction>-<operand>-code",
     .id = "sbarrier-mode-code",
     .broken = "sbarrier.{{signal}}",
     .message = "`mode` of sbarrier is code 2; the last one is 1",
     .damage = [](Module& module) { first(module).operands[0].value = 2; }},
    {.rule = "<instruction>-<operand>-code",
     .id = "media-ld-modifiers-code",
     .broken = "media_ld.{{nomod}} (32,8) T6 0 0x0:ud 0x0:ud ud64.0",
     .message =
         "`modifiers` of media_ld is code 9; allowed: nomod, modified, top, bottom, top_mod, bottom_mod",
     .damage = [](Module& module) { first(module).operands[0].value = 9; }},
    // SVM_GATHER: "When num_blocks > 1, exec_size must >= 8."
    {.rule = "<instruction>-<operand>-code",
     .id = "svm-gather-num-blocks-code",
     .broken = "svm_gather.4.{{2}} (M1, 4) uq8.0 ud16.0",
     .message = "2 blocks need an execution size of 8 or more; it is 4",
     .fixed = "svm_gather.4.2 (M1, 8) uq8.0 ud16.0",
     .igc = nothing},
    {.rule = "<instruction>-<operand>-code",
     .id = "svm-gather-num-blocks-code",
     .broken = "svm_gather.1.{{8}} (M1, 8) uq8.0 ud16.0",
     .message = "8 blocks exist for blocks of 4 bytes and an execution size of 8 only",
     .fixed = "svm_gather.1.4 (M1, 8) uq8.0 ud16.0",
     .igc = nothing},
    {.rule = "<instruction>-<operand>-type",
     .id = "svm-scatter-src-type",
     .broken = "svm_scatter.8.1 (M1, 8) uq8.0 {{ud16.0}}",
     .message = "`src` of svm_scatter has type ud; its size must be 8, the size of a block",
     .fixed = "svm_scatter.8.1 (M1, 8) uq8.0 q8.0",
     .igc = nothing},
    {.rule = "<instruction>-<operand>-code",
     .id = "switchjmp-num-labels-code",
     .broken = "{{switchjmp (M1, 1) ub1(0,0)<0;1,0> (here)}}\nhere:",
     .message = "`num_labels` of switchjmp is 33; allowed: 1 to 32",
     .igc = warning,
     .damage = [](Module& module) { first(module).operands[0].value = 33; }},
    {.rule = "<instruction>-<operand>-code",
     .id = "fcall-return-size-code",
     .broken = "fcall (M1, 1) f 32 {{13}}",
     .message = "`return_size` of fcall is 13; allowed: 0 to 12",
     .fixed = "fcall (M1, 1) f 32 12",
     .igc = warning},

    {.rule = "surface-not-allowed",
     .broken = "gather4_typed.R (M1, 8) {{%slm}} ud16.0 %null.0 %null.0 %null.0 ud16.0",
     .message = "gather4_typed does not take `%slm`",
     .fixed = "gather4_typed.R (M1, 8) T6 ud16.0 %null.0 %null.0 %null.0 ud16.0"},
    {.rule = "surface-not-allowed",
     .broken = "oword_ld (4) {{%slm}} 0x0:ud ud16.0",
     .message = "oword_ld does not take `%slm`",
     .fixed = "oword_ld (4) %slm 0x0:ud ud16.0",
     .device = "skl",
     .fixed_device = "icllp"},
    {.rule = "surface-not-allowed",
     .broken = "oword_ld (16) {{T6}} 0x0:ud ud64.0",
     .message = "16 owords exist for T0 only",
     .fixed = "oword_ld (16) %slm 0x0:ud ud64.0"},
    // "block_width ... block_height": the implementation's verifier has the sizes of the page.
    {.rule = "media-block",
     .broken = ".decl tall v_type=G type=ud num_elts=128\n"
               "{{media_ld.nomod (64,8) T6 0 0x0:ud 0x0:ud tall.0}}",
     .message =
         "a block of 64 x 8; at most 64 x 64 and 256 bytes, rows rounded up to a power of two, are allowed",
     .fixed = ".decl tall v_type=G type=ud num_elts=128\n"
              "media_ld.nomod (32,8) T6 0 0x0:ud 0x0:ud tall.0"},
    // SLMSize: "It is an error to access T0 in this kernel."
    {.rule = "surface-not-allowed",
     .broken = ".kernel_attr SLMSize=0\nscatter_scaled.4 (M1, 16) {{%slm}} 0x0:ud ud16.0 ud16.0",
     .message = "the kernel has no shared local memory",
     .fixed = ".kernel_attr SLMSize=1\nscatter_scaled.4 (M1, 16) %slm 0x0:ud ud16.0 ud16.0",
     .igc = warning,
     .note = "SLMSize is 0 here"},

    {.rule = "unpaged-spelling",
     .broken = "scatter4_scaled.{{rgba}} (M1, 16) T6 0x0:ud ud16.0 ud64.0",
     .message = "a channel in lower case is the compiler's spelling, not the page's",
     .fixed = "scatter4_scaled.RGBA (M1, 16) T6 0x0:ud ud16.0 ud64.0",
     .igc = nothing},
    // Ruling 16.
    {.rule = "unpaged-spelling",
     .broken = "svm_block_ld.{{aligned}} (4) uq1(0,0)<0;1,0> ud16.0",
     .message = "the suffix `.aligned` is the compiler's spelling, not the page's",
     .fixed = "svm_block_ld.unaligned (4) uq1(0,0)<0;1,0> ud16.0",
     .igc = nothing},
};

TEST(Literals, EachCase) {
    check(cases);
}

} // namespace

std::span<const Case> literal_cases() {
    return cases;
}

} // namespace visor::verify
