; No fence: ones are no zeros, LLVM does not fold scalar divisions so, and of integers 0/0 has no value.
; RUN: %opt --passes=hide-zero-dividends %s | FileCheck %s
; RUN: %opt --passes=hide-zero-dividends %s | lli

; CHECK-NOT: arithmetic.fence
; CHECK-LABEL: define <4 x float> @f(
; CHECK-NEXT: %inverse = fdiv <4 x float> <float 1.000000e+00, float 1.000000e+00, float 1.000000e+00, float 1.000000e+00>, %b
; CHECK-NEXT: %scalar = fdiv float %a, %a
; CHECK-NEXT: %quotient = udiv <4 x i32> %c, %c
; CHECK-NOT: arithmetic.fence
define <4 x float> @f(float %a, <4 x float> %b, <4 x i32> %c) {
  %inverse = fdiv <4 x float> splat (float 1.0), %b
  %scalar = fdiv float %a, %a
  %quotient = udiv <4 x i32> %c, %c
  %ones = uitofp <4 x i32> %quotient to <4 x float>
  %sum = fadd <4 x float> %inverse, %ones
  %result = insertelement <4 x float> %sum, float %scalar, i64 3
  ret <4 x float> %result
}

; By hand: 1/4 + 1, 1/2 + 1, 1/8 + 1; 3/3.
define i32 @main() {
  %got = call <4 x float> @f(float 3.0, <4 x float> <float 4.0, float 2.0, float 8.0, float 0.5>, <4 x i32> splat (i32 7))
  %wrong = fcmp une <4 x float> %got, <float 1.25, float 1.5, float 1.125, float 1.0>
  %bits = bitcast <4 x i1> %wrong to i4
  %code = zext i4 %bits to i32
  ret i32 %code
}
