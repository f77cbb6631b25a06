// 5_operands, Raw Operands.
#include "cases.h"

#include <gtest/gtest.h>

namespace visor::verify {

namespace {

using enum Expect;

const Case cases[] = {
    // Ruling 32.
    {.rule = "raw-alignment",
     .broken = "gather_scaled.4 (M1, 8) T6 0x0:ud {{ud16.4}} ud16.0",
     .message =
         "`element_offset` of gather_scaled begins at byte 4 of its storage, no multiple of a register's 32",
     .fixed = "gather_scaled.4 (M1, 8) T6 0x0:ud ud16.32 ud16.0",
     .spec = warning},
    {.rule = "raw-alignment",
     .broken = ".decl x v_type=G type=ud num_elts=12 alias=<ud16, 16>\n"
               "gather_scaled.4 (M1, 8) T6 0x0:ud {{x.0}} ud16.0",
     .message =
         "`element_offset` of gather_scaled begins at byte 16 of its storage, no multiple of a register's 32",
     .fixed = ".decl x v_type=G type=ud num_elts=12 alias=<ud16, 16>\n"
              "gather_scaled.4 (M1, 8) T6 0x0:ud x.16 ud16.0",
     .spec = warning},
    {.rule = "raw-alignment",
     .broken = "gather_scaled.4 (M1, 1) T6 0x0:ud {{ud2.4}} ud1.0",
     .message =
         "`element_offset` of gather_scaled begins at byte 4 of its storage, no multiple of a register's 32",
     .fixed = "gather_scaled.4 (M1, 1) T6 0x0:ud ud2.0 ud1.0",
     .spec = warning,
     .igc = nothing},
    {.rule = "raw-alignment",
     .broken = "gather_scaled.4 (M1, 8) T6 0x0:ud {{ud16.32}} ud16.0",
     .message =
         "`element_offset` of gather_scaled begins at byte 32 of its storage, no multiple of a register's 64",
     .fixed = "gather_scaled.4 (M1, 8) T6 0x0:ud ud16.32 ud16.0",
     .spec = warning,
     .device = "pvc",
     .fixed_device = "skl"},

    {.rule = "raw-bounds",
     .broken = "scatter_scaled.4 (M1, 16) T6 0x0:ud {{ud16.32}} ud16.0",
     .message = "`element_offset` of scatter_scaled takes 64 bytes from byte 32 of `ud16`, which has 64",
     .fixed = "scatter_scaled.4 (M1, 16) T6 0x0:ud ud16.0 ud16.0",
     .igc = warning},
    // Two channels lie max(8, 8) dwords apart, and 16 dwords on a register of 64 bytes (ruling 2).
    {.rule = "raw-bounds",
     .broken = "scatter4_scaled.RGB (M1, 8) T6 0x0:ud ud16.0 {{ud16.0}}",
     .message = "`src` of scatter4_scaled takes 96 bytes from byte 0 of `ud16`, which has 64",
     .fixed = "scatter4_scaled.RG (M1, 8) T6 0x0:ud ud16.0 ud16.0",
     .igc = warning},
    {.rule = "raw-bounds",
     .broken = "scatter4_scaled.RG (M1, 8) T6 0x0:ud ud16.0 {{ud16.0}}",
     .message = "`src` of scatter4_scaled takes 96 bytes from byte 0 of `ud16`, which has 64",
     .fixed = "scatter4_scaled.R (M1, 8) T6 0x0:ud ud16.0 ud16.0",
     .igc = warning,
     .device = "pvc"},
    {.rule = "raw-bounds",
     .broken = "qw_gather.1 (M1, 16) T6 ud16.0 {{uq8.0}}",
     .message = "`dst` of qw_gather takes 128 bytes from byte 0 of `uq8`, which has 64",
     .fixed = "qw_gather.1 (M1, 16) T6 ud16.0 uq16.0",
     .igc = warning},
    {.rule = "raw-bounds",
     .broken = "svm_block_ld (8) uq1(0,0)<0;1,0> {{ud16.0}}",
     .message = "`dst` of svm_block_ld takes 128 bytes from byte 0 of `ud16`, which has 64",
     .fixed = "svm_block_ld (4) uq1(0,0)<0;1,0> ud16.0",
     .igc = warning},
    {.rule = "raw-bounds",
     .broken = "svm_atomic.add.64 (M1, 8) uq8.0 %null.0 {{uq4.0}} %null.0",
     .message = "`src0` of svm_atomic takes 64 bytes from byte 0 of `uq4`, which has 32",
     .fixed = "svm_atomic.add.64 (M1, 4) uq8.0 %null.0 uq4.0 %null.0",
     .igc = warning},
    // Compilers store a pointer with a message of one oword.
    {.rule = "raw-bounds",
     .broken = "svm_block_st (1) uq1(0,0)<0;1,0> {{uq1.0}}",
     .message = "`src` of svm_block_st takes 16 bytes from byte 0 of `uq1`, which has 8",
     .fixed = "svm_block_st (1) uq1(0,0)<0;1,0> ud16.0",
     .igc = nothing},
    {.rule = "raw-bounds",
     .broken = "gather_scaled.4 (M1, 8) T6 0x0:ud {{ud16.0}} ud16.0",
     .message = "`element_offset` of gather_scaled has the negative offset -32",
     .damage = [](Module& module) { first(module).operands[5].offset = -32; }},

    {.rule = "<instruction>-<operand>-null",
     .id = "scatter-scaled-element-offset-null",
     .broken = "scatter_scaled.4 (M1, 16) T6 0x0:ud {{%null.0}} ud16.0",
     .message = "`element_offset` of scatter_scaled is the null variable, but is needed",
     .fixed = "scatter_scaled.4 (M1, 16) T6 0x0:ud ud16.0 ud16.0",
     .igc = warning},
};

TEST(RawOperands, EachCase) {
    check(cases);
}

} // namespace

std::span<const Case> raw_cases() {
    return cases;
}

} // namespace visor::verify
