// 5_operands, Region-based Addressing and Region Restrictions.
#include "cases.h"

#include <gtest/gtest.h>

namespace visor::verify {

namespace {

using enum Expect;

const Case cases[] = {
    // 1. Width.
    {.rule = "region-width",
     .broken = "mov (M1, 32) uw16(0,0)<0> {{uw16(0,0)<0;1,0>}}",
     .message = "the width is 32; allowed: 1, 2, 4, 8, 16",
     .fixed = "mov (M1, 16) uw16(0,0)<1> uw16(0,0)<16;16,1>",
     .damage =
         [](Module& module) {
             first(module).operands[0].region.horizontal = 1;
             first(module).operands[0].id = 0;
             first(module).operands[1].region.width = 32;
         }},
    // 4. "ExecSize must be greater than or equal to Width."
    {.rule = "region-width",
     .broken = "mov (M1, 4) ud16(0,0)<1> {{ud16(0,0)<8;8,1>}}",
     .message = "the width 8 exceeds the execution size 4",
     .fixed = "mov (M1, 8) ud16(0,0)<1> ud16(0,0)<8;8,1>"},
    // 2. Vertical stride.
    {.rule = "region-vertical-stride",
     .broken = "mov (M1, 4) ud16(0,0)<1> {{ud16(0,0)<2;2,1>}}",
     .message = "the vertical stride is 3; allowed: 0, 1, 2, 4, 8, 16, 32",
     .damage = [](Module& module) { first(module).operands[1].region.vertical = 3; }},
    // 3. Horizontal stride.
    {.rule = "region-horizontal-stride",
     .broken = "mov (M1, 1) ud16(0,0)<1> {{ud16(0,0)<1;1,8>}}",
     .message = "the horizontal stride is 8; allowed: 0, 1, 2, 4",
     .fixed = "mov (M1, 1) ud16(0,0)<1> ud16(0,0)<1;1,4>"},
    {.rule = "region-horizontal-stride",
     .broken = "mov (M1, 1) {{ud16(0,0)<8>}} 0x1:ud",
     .message = "the horizontal stride of a destination is 8; allowed: 1, 2, 4",
     .fixed = "mov (M1, 1) ud16(0,0)<4> 0x1:ud"},
    // 5. "HorzStride for a destination operand must not be 0."
    {.rule = "destination-stride",
     .broken = "mov (M1, 8) {{ud16(0,0)<0>}} 0x1:ud",
     .message = "the horizontal stride of a destination is 0",
     .fixed = "mov (M1, 8) ud16(0,0)<1> 0x1:ud"},
    // 6. "The elements accessed by an operand may not span more than two adjacent GRF registers."
    {.rule = "region-span",
     .broken = "mov (M1, 16) {{ud64(0,0)<2>}} 0x1:ud",
     .message =
         "the elements of `dst` of mov lie in 4 registers of 32 bytes; at most 2 adjacent ones are allowed",
     .fixed = "mov (M1, 16) ud64(0,0)<1> 0x1:ud",
     .spec = warning,
     .igc = nothing},
    {.rule = "region-span",
     .broken = "mov (M1, 16) {{ud64(0,4)<1>}} 0x1:ud",
     .message =
         "the elements of `dst` of mov lie in 3 registers of 32 bytes; at most 2 adjacent ones are allowed",
     .fixed = "mov (M1, 16) ud64(0,0)<1> 0x1:ud",
     .spec = warning,
     .igc = nothing},
    {.rule = "region-span",
     .broken = "mov (M1, 16) {{ud64(0,0)<2>}} 0x1:ud",
     .message =
         "the elements of `dst` of mov lie in 4 registers of 32 bytes; at most 2 adjacent ones are allowed",
     .fixed = "mov (M1, 16) ud64(0,0)<2> 0x1:ud",
     .spec = warning,
     .igc = nothing,
     .device = "skl",
     .fixed_device = "pvc"},
    {.rule = "region-span",
     .broken = ".decl A16 v_type=A num_elts=16\n"
               "addr_add (M1, 16) A16(0)<1> &ud16 {{uw64(0,0)<4;1,0>}}",
     .message =
         "the elements of `src1` of addr_add lie in 4 registers of 32 bytes; at most 2 adjacent ones are "
         "allowed",
     .fixed = ".decl A16 v_type=A num_elts=16\n"
              "addr_add (M1, 16) A16(0)<1> &ud16 uw64(0,0)<2;1,0>"},

    {.rule = "operand-bounds",
     .broken = "mov (M1, 16) {{ud16(1,0)<1>}} 0x1:ud",
     .message = "`dst` of mov reaches byte 95 of `ud16`, which has 64 bytes",
     .fixed = "mov (M1, 8) ud16(1,0)<1> 0x1:ud",
     .igc = warning},
    {.rule = "operand-bounds",
     .broken = "mov (M1, 8) ud16(0,0)<1> {{ud16(1,0)<4;2,1>}}",
     .message = "`src0` of mov reaches byte 87 of `ud16`, which has 64 bytes",
     .fixed = "mov (M1, 8) ud16(0,0)<1> ud16(0,0)<4;2,1>",
     .igc = warning},
    {.rule = "operand-bounds",
     .broken = "mov (M1, 1) ud1(0,0)<1> {{ud16(9,0)<0;1,0>}}",
     .message = "`src0` of mov reaches byte 291 of `ud16`, which has 64 bytes",
     .fixed = "mov (M1, 1) ud1(0,0)<1> ud16(1,0)<0;1,0>",
     .igc = warning},
    // MADW: the high halves begin at the next register.
    {.rule = "operand-bounds",
     .broken = "madw (M1, 8) {{ud8(0,0)<1>}} ud16(0,0)<1;1,0> ud16(0,0)<1;1,0> ud16(0,0)<1;1,0>",
     .message = "`dst` of madw reaches byte 63 of `ud8`, which has 32 bytes",
     .fixed = "madw (M1, 8) ud16(0,0)<1> ud8(0,0)<1;1,0> ud16(0,0)<1;1,0> ud16(0,0)<1;1,0>",
     .igc = warning},
    // "The column offset may not cross the GRF boundary."
    {.rule = "column-offset",
     .broken = "mov (M1, 1) ud1(0,0)<1> {{ud64(0,8)<0;1,0>}}",
     .message = "column 8 of type ud lies beyond a register of 32 bytes",
     .fixed = "mov (M1, 1) ud1(0,0)<1> ud64(1,0)<0;1,0>",
     .igc = warning},

    {.rule = "indirect-destination",
     .broken = "mov (M1, 8) {{r[A8(0),0]<1>:ud}} 0x1:ud",
     .message = "a multi-address indirect operand cannot be a destination",
     .damage = [](Module& module) { first(module).operands[0].region = {region_absent, 1, 1}; }},

    // Ruling 33.
    {.rule = "scalar-region",
     .broken = "scatter_scaled.4 (M1, 16) T6 {{ud1(0,0)<1;1,0>}} ud16.0 ud16.0",
     .message = "`offset` of scatter_scaled is a scalar: its region must be <0;1,0>",
     .fixed = "scatter_scaled.4 (M1, 16) T6 ud1(0,0)<0;1,0> ud16.0 ud16.0",
     .igc = warning},
};

TEST(Regions, EachCase) {
    check(cases);
}

} // namespace

std::span<const Case> region_cases() {
    return cases;
}

} // namespace visor::verify
