// SVM_ATOMIC and DWORD_ATOMIC, Notes: sources and types by operation and width.
#include "cases.h"

#include <gtest/gtest.h>

namespace visor::verify {

namespace {

using enum Expect;

const Case cases[] = {
    // "For the INC and DEC atomic operation it must be V0."
    {.rule = "<instruction>-<operand>-unused",
     .id = "svm-atomic-src0-unused",
     .broken = "svm_atomic.inc (M1, 8) uq8.0 ud16.0 {{ud16.0}} %null.0",
     .message = "`src0` of svm_atomic must be %null: inc has no such source",
     .fixed = "svm_atomic.inc (M1, 8) uq8.0 ud16.0 %null.0 %null.0",
     .igc = warning},
    // "For the CMPXCHG and FCMPWR operation ... For all other operations it must be V0."
    {.rule = "<instruction>-<operand>-unused",
     .id = "svm-atomic-src1-unused",
     .broken = "svm_atomic.add (M1, 8) uq8.0 ud16.0 ud16.0 {{ud16.0}}",
     .message = "`src1` of svm_atomic must be %null: add has no such source",
     .fixed = "svm_atomic.cmpxchg (M1, 8) uq8.0 ud16.0 ud16.0 ud16.0",
     .igc = warning},
    {.rule = "<instruction>-<operand>-unused",
     .id = "dword-atomic-src0-unused",
     .broken = "dword_atomic.predec (M1, 8) T6 ud16.0 {{ud16.0}} %null.0 %null.0",
     .message = "`src0` of dword_atomic must be %null: predec has no such source",
     .fixed = "dword_atomic.predec (M1, 8) T6 ud16.0 %null.0 %null.0 ud16.0"},
    {.rule = "<instruction>-<operand>-null",
     .id = "svm-atomic-src0-null",
     .broken = "svm_atomic.add (M1, 8) uq8.0 ud16.0 {{%null.0}} %null.0",
     .message = "add needs `src0` of svm_atomic",
     .fixed = "svm_atomic.add (M1, 8) uq8.0 %null.0 ud16.0 %null.0",
     .igc = warning},
    {.rule = "<instruction>-<operand>-null",
     .id = "svm-atomic-src1-null",
     .broken = "svm_atomic.fcmpwr (M1, 8) uq8.0 f16.0 f16.0 {{%null.0}}",
     .message = "fcmpwr needs `src1` of svm_atomic",
     .fixed = "svm_atomic.fcmpwr (M1, 8) uq8.0 f16.0 f16.0 f16.0",
     .igc = warning},

    // "IMIN, IMAX: type D, Q"
    {.rule = "<instruction>-<operand>-type",
     .id = "svm-atomic-src0-type",
     .broken = "svm_atomic.imin (M1, 8) uq8.0 %null.0 {{ud16.0}} %null.0",
     .message = "`src0` of svm_atomic has type ud; minsint of 32 bits needs d",
     .fixed = "svm_atomic.imin (M1, 8) uq8.0 d16.0 d16.0 %null.0",
     .igc = nothing},
    {.rule = "<instruction>-<operand>-type",
     .id = "svm-atomic-src0-type",
     .broken = "svm_atomic.imax.64 (M1, 8) uq8.0 %null.0 {{uq8.0}} %null.0",
     .message = "`src0` of svm_atomic has type uq; maxsint of 64 bits needs q",
     .fixed = "svm_atomic.imax.64 (M1, 8) uq8.0 q8.0 q8.0 %null.0",
     .igc = nothing},
    // "FMAX, FMIN, FCMPWR: type F"
    {.rule = "<instruction>-<operand>-type",
     .id = "svm-atomic-dst-type",
     .broken = "svm_atomic.fmax (M1, 8) uq8.0 {{ud16.0}} f16.0 %null.0",
     .message = "`dst` of svm_atomic has type ud; fmax of 32 bits needs f",
     .fixed = "svm_atomic.fmax (M1, 8) uq8.0 f16.0 f16.0 %null.0",
     .igc = warning},
    // Ruling 35.
    {.rule = "<instruction>-<operand>-type",
     .id = "svm-atomic-src0-type",
     .broken = "svm_atomic.fmin.64 (M1, 8) uq8.0 %null.0 {{f16.0}} %null.0",
     .message = "`src0` of svm_atomic has type f; fmin of 64 bits needs df",
     .fixed = "svm_atomic.fmin.64 (M1, 8) uq8.0 df8.0 df8.0 %null.0",
     .igc = warning},
    // "Other operations: type UD. UQ"
    {.rule = "<instruction>-<operand>-type",
     .id = "svm-atomic-src0-type",
     .broken = "svm_atomic.add (M1, 8) uq8.0 %null.0 {{d16.0}} %null.0",
     .message = "`src0` of svm_atomic has type d; add of 32 bits needs ud",
     .fixed = "svm_atomic.add (M1, 8) uq8.0 %null.0 ud16.0 %null.0",
     .igc = nothing},
    {.rule = "<instruction>-<operand>-type",
     .id = "svm-atomic-src0-type",
     .broken = "svm_atomic.add (M1, 8) uq8.0 %null.0 {{uq8.0}} %null.0",
     .message = "`src0` of svm_atomic has type uq; add of 32 bits needs ud",
     .fixed = "svm_atomic.add.64 (M1, 8) uq8.0 %null.0 uq8.0 %null.0",
     .igc = warning},
    // "16bit Atomics: the operand types remain the same as 32bit atomics."
    {.rule = "<instruction>-<operand>-type",
     .id = "svm-atomic-src0-type",
     .broken = "svm_atomic.xchg.16 (M1, 8) uq8.0 %null.0 {{uw16.0}} %null.0",
     .message = "`src0` of svm_atomic has type uw; xchg of 16 bits needs ud",
     .fixed = "svm_atomic.xchg.16 (M1, 8) uq8.0 %null.0 ud16.0 %null.0",
     .igc = warning},
    {.rule = "<instruction>-<operand>-type",
     .id = "dword-atomic-dst-type",
     .broken = "dword_atomic.min (M1, 8) T6 ud16.0 ud16.0 %null.0 {{d16.0}}",
     .message = "`dst` of dword_atomic has type d; min of 32 bits needs ud",
     .fixed = "dword_atomic.imin (M1, 8) T6 ud16.0 d16.0 %null.0 d16.0"},
    // The implementation takes signed sums.
    {.rule = "<instruction>-<operand>-type",
     .id = "dword-atomic-src0-type",
     .broken = "dword_atomic.sub (M1, 8) T6 ud16.0 {{d16.0}} %null.0 %null.0",
     .message = "`src0` of dword_atomic has type d; sub of 32 bits needs ud",
     .fixed = "dword_atomic.sub (M1, 8) T6 ud16.0 ud16.0 %null.0 %null.0",
     .igc = nothing},
};

TEST(Atomics, EachCase) {
    check(cases);
}

} // namespace

std::span<const Case> atomic_cases() {
    return cases;
}

} // namespace visor::verify
