// 2_datatypes, Type Conversion, and the pages' types.
#include "cases.h"

#include <gtest/gtest.h>

namespace visor::verify {

namespace {

using enum Expect;

const Case cases[] = {
    {.rule = "<instruction>-<operand>-type",
     .id = "scatter-scaled-src-type",
     .broken = "scatter_scaled.4 (M1, 16) T6 0x0:ud ud16.0 {{hf32.0}}",
     .message = "`src` of scatter_scaled has type hf; allowed: ud, d, f",
     .fixed = "scatter_scaled.4 (M1, 16) T6 0x0:ud ud16.0 f16.0",
     .igc = warning,
     .note = "see SCATTER_SCALED"},
    {.rule = "<instruction>-<operand>-type",
     .id = "scatter-scaled-offset-type",
     .broken = "scatter_scaled.4 (M1, 16) T6 {{0x0:uw}} ud16.0 ud16.0",
     .message = "`offset` of scatter_scaled has type uw; allowed: ud",
     .fixed = "scatter_scaled.4 (M1, 16) T6 0x0:ud ud16.0 ud16.0",
     .igc = warning},
    {.rule = "<instruction>-<operand>-type",
     .id = "svm-block-ld-address-type",
     .broken = "svm_block_ld (4) {{ud1(0,0)<0;1,0>}} ud16.0",
     .message = "`address` of svm_block_ld has type ud; allowed: uq",
     .fixed = "svm_block_ld (4) 0x1000:uq ud16.0",
     .igc = warning},
    {.rule = "<instruction>-<operand>-type",
     .id = "qw-gather-dst-type",
     .broken = "qw_gather.1 (M1, 8) T6 ud16.0 {{ud16.0}}",
     .message = "`dst` of qw_gather has type ud; allowed: df, uq, q",
     .fixed = "qw_gather.1 (M1, 8) T6 ud16.0 q8.0",
     .igc = warning},
    // The implementation looks at the types of arithmetic and logic.
    {.rule = "<instruction>-<operand>-type",
     .id = "shl-dst-type",
     .broken = "shl (M1, 16) {{f16(0,0)<1>}} ud16(0,0)<1;1,0> 0x1:ud",
     .message = "`dst` of shl has type f; allowed: ud, d, uw, w, ub, b, uq, q",
     .fixed = "shl (M1, 16) d16(0,0)<1> ud16(0,0)<1;1,0> 0x1:ud"},
    {.rule = "<instruction>-<operand>-type",
     .id = "bfe-src0-type",
     .broken = "bfe (M1, 16) ud16(0,0)<1> {{uw16(0,0)<1;1,0>}} 0x1:ud 0x1:ud",
     .message = "`src0` of bfe has type uw; allowed: ud, d",
     .fixed = "bfe (M1, 16) ud16(0,0)<1> ud16(0,0)<1;1,0> 0x1:ud 0x1:ud",
     .igc = warning},
    {.rule = "<instruction>-<operand>-type",
     .id = "exp-dst-type",
     .broken = "exp (M1, 8) {{df8(0,0)<1>}} df8(0,0)<1;1,0>",
     .message = "`dst` of exp has type df; allowed: f, hf",
     .fixed = "exp (M1, 8) f16(0,0)<1> f16(0,0)<1;1,0>",
     .damage = [](Module& module) { first(module).operands[1].id = 0; }},
    // Compilers emit shr into signed types.
    {.rule = "<instruction>-<operand>-type",
     .id = "shr-dst-type",
     .broken = "shr (M1, 16) {{d16(0,0)<1>}} ud16(0,0)<1;1,0> 0x1:ud",
     .message = "`dst` of shr has type d; allowed: ud, uw, ub, uq",
     .fixed = "shr (M1, 16) ud16(0,0)<1> ud16(0,0)<1;1,0> 0x1:ud",
     .igc = nothing},
    {.rule = "<instruction>-<operand>-type",
     .id = "addr-add-src1-type",
     .broken = "addr_add (M1, 1) A8(0)<1> &ud16 {{0x4:w}}",
     .message = "`src1` of addr_add has type w; allowed: uw",
     .fixed = "addr_add (M1, 1) A8(0)<1> &ud16 0x4:uw",
     .igc = warning},
    {.rule = "<instruction>-<operand>-type",
     .id = "addr-add-src1-type",
     .broken = "addr_add (M1, 1) A8(0)<1> &ud16 {{0x4:ud}}",
     .message = "`src1` of addr_add has type ud; allowed: uw",
     .fixed = "addr_add (M1, 1) A8(0)<1> &ud16 uw1(0,0)<0;1,0>"},

    {.rule = "types-mixed",
     .broken = "add (M1, 16) f16(0,0)<1> f16(0,0)<1;1,0> {{ud16(0,0)<1;1,0>}}",
     .message = "`src1` of add has type ud beside f; convert one with mov",
     .fixed = "add (M1, 16) f16(0,0)<1> f16(0,0)<1;1,0> hf32(0,0)<1;1,0>"},
    {.rule = "types-mixed",
     .broken = "add (M1, 8) df8(0,0)<1> df8(0,0)<1;1,0> {{f16(0,0)<1;1,0>}}",
     .message = "`src1` of add has type f beside df; convert one with mov",
     .fixed = "add (M1, 8) df8(0,0)<1> df8(0,0)<1;1,0> df8(0,0)<1;1,0>"},
    {.rule = "types-mixed",
     .broken = "mad (M1, 4) ud16(0,0)<1> ud16(0,0)<1;1,0> ud16(0,0)<1;1,0> {{f16(0,0)<1;1,0>}}",
     .message = "`src2` of mad has type f beside ud; convert one with mov",
     .fixed = "mad (M1, 4) ud16(0,0)<1> uw16(0,0)<1;1,0> d16(0,0)<1;1,0> 0x3210:uv"},
    {.rule = "types-mixed",
     .broken = "(P16) sel (M1, 16) f16(0,0)<1> f16(0,0)<1;1,0> {{ud16(0,0)<1;1,0>}}",
     .message = "`src1` of sel has type ud beside f; convert one with mov",
     .fixed = "(P16) sel (M1, 16) f16(0,0)<1> f16(0,0)<1;1,0> 0x3f800000:f",
     .igc = warning},
    {.rule = "types-mixed",
     .broken = "cmp.lt (M1, 16) P16 f16(0,0)<1;1,0> {{0x1:ud}}",
     .message = "`src1` of cmp has type ud beside f; convert one with mov",
     .fixed = "cmp.lt (M1, 16) P16 ud16(0,0)<1;1,0> 0x1:uw",
     .igc = warning},
    // CMP's type maps let integers be compared into floats, but not floats into integers.
    {.rule = "types-mixed",
     .broken = "cmp.lt (M1, 16) ud16(0,0)<1> {{f16(0,0)<1;1,0>}} 0x1:ud",
     .message = "`src0` of cmp has type f beside ud; convert one with mov",
     .fixed = "cmp.lt (M1, 16) f16(0,0)<1> ud16(0,0)<1;1,0> 0x1:ud",
     .igc = warning},

    {.rule = "saturation",
     .broken = "{{mul.sat (M1, 16) ud16(0,0)<1> ud16(0,0)<1;1,0> 0x1:ud}}",
     .message = "mul saturates only when its type is float",
     .fixed = "mul.sat (M1, 16) f16(0,0)<1> f16(0,0)<1;1,0> f16(0,0)<1;1,0>",
     .igc = warning},
    {.rule = "saturation",
     .broken = "{{frc (M1, 16) f16(0,0)<1> f16(0,0)<1;1,0>}}",
     .message = "frc does not saturate",
     .damage = [](Module& module) { first(module).saturate = true; }},

    {.rule = "type-device",
     .broken = "cmp.eq (M1, 8) P8 {{uq8(0,0)<1;1,0>}} 0x1:ud",
     .message = "`src0` of cmp has type uq, which tgllp does not compute with",
     .fixed = "cmp.eq (M1, 8) P8 uq8(0,0)<1;1,0> 0x1:ud",
     .igc = warning,
     .device = "tgllp",
     .fixed_device = "skl"},
    // Moves and messages carry 64 bits everywhere.
    {.rule = "type-device",
     .broken = "inv (M1, 8) {{df8(0,0)<1>}} df8(0,0)<1;1,0>",
     .message = "`dst` of inv has type df, which icllp does not compute with",
     .fixed = "mov (M1, 8) df8(0,0)<1> df8(0,0)<1;1,0>",
     .device = "icllp",
     .damage = [](Module& module) { first(module).operands[1].id = 0; }},
};

TEST(Types, EachCase) {
    check(cases);
}

} // namespace

std::span<const Case> type_cases() {
    return cases;
}

} // namespace visor::verify
