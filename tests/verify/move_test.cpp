// MOV from predicates, MOVS, SETP, logic on predicates.
#include "cases.h"

#include <gtest/gtest.h>

namespace visor::verify {

namespace {

using enum Expect;

const Case cases[] = {
    {.rule = "mov-predicate",
     .broken = "{{mov (M1, 8) ud16(0,0)<1> P16}}",
     .message = "a mov from a predicate has execution size 1, not 8",
     .fixed = "mov (M1, 1) ud1(0,0)<1> P16"},
    {.rule = "mov-predicate",
     .broken = "{{(P8) mov (M1, 1) ud1(0,0)<1> P16}}",
     .message = "a mov from a predicate cannot be predicated",
     .fixed = "mov (M1, 1) uw1(0,0)<1> P16"},
    {.rule = "mov-predicate",
     .broken = "{{mov.sat (M1, 1) ud1(0,0)<1> P16}}",
     .message = "a mov from a predicate does not saturate",
     .fixed = "mov (M1, 1) ud1(0,0)<1> P16"},
    {.rule = "mov-predicate",
     .broken = "mov (M1, 1) {{uq1(0,0)<1>}} P16",
     .message = "`dst` of mov has type uq; allowed: ud, uw, ub",
     .fixed = "mov (M1, 1) ud1(0,0)<1> P16"},
    {.rule = "mov-predicate",
     .broken = "mov (M1, 1) {{d1(0,0)<1>}} P16",
     .message = "`dst` of mov has type d; allowed: ud, uw, ub",
     .fixed = "mov (M1, 1) ud1(0,0)<1> P16",
     .igc = nothing},
    {.rule = "mov-predicate",
     .broken = "mov (M1, 1) {{ub1(0,0)<1>}} P16",
     .message = "`P16` has 16 elements, `dst` of mov only 8 bits",
     .fixed = "mov (M1, 1) ub1(0,0)<1> P8",
     .igc = warning},

    {.rule = "predicate-logic",
     .broken = "and (M1, 16) P16 P16 {{ud16(0,0)<1;1,0>}}",
     .message = "`src1` of and is no predicate beside others that are",
     .fixed = "and (M1, 16) P16 P16 P16"},
    {.rule = "predicate-logic",
     .broken = "{{(P16) or (M1, 16) P16 P16 P16}}",
     .message = "logic on predicates cannot be predicated",
     .fixed = "(P16) or (M1, 16) ud16(0,0)<1> ud16(0,0)<1;1,0> 0x1:ud"},

    // IGC, IsaVerification.cpp: "src0 ... on SIMD16 must have region .0<1;1,0>", "on SIMD32 ... .0<0;16,1>",
    // "src1 ... must have region .(0|1)<2;1,0> for UW", ".(0|1|2|3)<4;1,0> for UB".
    {.rule = "shuffle-region",
     .broken = "shfl_idx4 (M1, 32) ud64.0 {{ud64(0,0)<1;1,0>}} uw64(0,0)<2;1,0>",
     .message = "`src0` of shfl_idx4 is a row of sixteen dwords: its region is <0;16,1>, from column 0 on",
     .fixed = "shfl_idx4 (M1, 32) ud64.0 ud16(0,0)<0;16,1> uw64(0,1)<2;1,0>",
     .spec = nothing,
     .device = "cri"},
    {.rule = "shuffle-region",
     .broken = ".decl ub64 v_type=G type=ub num_elts=64 align=GRF\n"
               "shfl_idx4 (M1, 16) ud64.0 ud16(0,0)<1;1,0> {{ub64(0,0)<2;1,0>}}",
     .message = "`src1` of shfl_idx4 is in each dword: its region is <4;1,0>, its column below 4",
     .fixed = ".decl ub64 v_type=G type=ub num_elts=64 align=GRF\n"
              "shfl_idx4 (M1, 16) ud64.0 ud16(0,0)<1;1,0> ub64(0,3)<4;1,0>",
     .spec = nothing,
     .device = "cri"},

    {.rule = "setp-mask",
     .broken = "{{setp (M2_NM, 4) P16 0x1:ud}}",
     .message = "setp takes the mask M1_NM or M5_NM",
     .fixed = "setp (M1_NM, 4) P16 0x1:ud",
     .igc = warning},
    {.rule = "setp-mask",
     .broken = "{{setp (M1, 32) P32 0x1:ud}}",
     .message = "setp takes the mask M1_NM",
     .fixed = "setp (M5_NM, 16) P32 0x1:ud",
     .igc = warning},

    {.rule = "movs-operands",
     .broken = "{{movs (M1_NM, 1) ud1(0,0)<1> ud1(0,0)<0;1,0>}}",
     .message = "one of the operands of movs must be a surface or a sampler",
     .fixed = "movs (M1_NM, 1) ud1(0,0)<1> T6(0)"},
    {.rule = "movs-operands",
     .broken = "{{movs (M1_NM, 1) T6(0) smp(0)}}",
     .message = "movs between a surface and a sampler",
     .fixed = "movs (M1_NM, 1) T6(0) T7(1)",
     .igc = warning},

    // The implementation's verifier: "FCVT with UB(actually BF8) dst must have HF src"; "HF8 ... Xe3".
    {.rule = "conversion-types",
     .broken = ".decl b16 v_type=G type=b num_elts=16 align=GRF\n"
               "{{fcvt (M1_NM, 16) b16(0,0)<1> hf32(0,0)<1;1,0>}}",
     .message = "fcvt makes no b of hf on pvc",
     .fixed = ".decl b16 v_type=G type=b num_elts=16 align=GRF\n"
              "fcvt (M1_NM, 16) b16(0,0)<1> hf32(0,0)<1;1,0>",
     .spec = nothing,
     .device = "pvc",
     .fixed_device = "ptl"},
    {.rule = "conversion-mask",
     .broken = ".decl ub16 v_type=G type=ub num_elts=16 align=GRF\n"
               "{{fcvt (M1, 16) ub16(0,0)<1> hf32(0,0)<1;1,0>}}",
     .message = "fcvt of these types has a mask that ends with _NM",
     .fixed = ".decl ub16 v_type=G type=ub num_elts=16 align=GRF\n"
              "fcvt (M1_NM, 16) ub16(0,0)<1> hf32(0,0)<1;1,0>",
     .spec = nothing,
     .device = "pvc"},
    // "dpas src2 operand must be 32-byte aligned": 8 steps of two halves.
    {.rule = "matrix-alignment",
     .broken = ".decl ud128 v_type=G type=ud num_elts=128 align=GRF\n"
               "dpas.hf.hf.8.1 (M1, 16) f16.0 %null.0 ud128.0 {{ud64(0,4)}}",
     .message = "`src2` of dpas begins at byte 16 of its storage, no multiple of 32",
     .fixed = ".decl ud128 v_type=G type=ud num_elts=128 align=GRF\n"
              "dpas.hf.hf.8.1 (M1, 16) f16.0 %null.0 ud128.0 ud64(0,8)",
     .spec = nothing,
     .device = "pvc"},
    {.rule = "send-length",
     .broken = "{{raw_send (M1, 16) 0xc 1 1 0x4200000:ud ud16.0 ud16.0}}",
     .message = "the descriptor says 2 registers sent and 2 answered; the instruction has 1 and 1",
     .fixed = "raw_send (M1, 16) 0xc 2 2 0x4200000:ud ud16.0 ud16.0",
     .spec = nothing},
};

TEST(Moves, EachCase) {
    check(cases);
}

} // namespace

std::span<const Case> move_cases() {
    return cases;
}

} // namespace visor::verify
