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
};

TEST(Moves, EachCase) {
    check(cases);
}

} // namespace

std::span<const Case> move_cases() {
    return cases;
}

} // namespace visor::verify
