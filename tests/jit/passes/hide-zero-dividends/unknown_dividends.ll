; A fence also hides dividends that may be zero, and constants with one zero. The quotients are the same.
; RUN: %opt --passes=hide-zero-dividends %s | FileCheck %s
; RUN: %opt --passes=hide-zero-dividends %s | lli

; CHECK-LABEL: define <4 x float> @f(
; CHECK-NEXT: [[A:%.*]] = call <4 x float> @llvm.arithmetic.fence.v4f32(<4 x float> %a)
; CHECK-NEXT: %first = fdiv <4 x float> [[A]], %b
; CHECK-NEXT: [[C:%.*]] = call <4 x float> @llvm.arithmetic.fence.v4f32(<4 x float> <float 1.000000e+00, float 0.000000e+00, float 1.000000e+00, float 1.000000e+00>)
; CHECK-NEXT: %second = fdiv <4 x float> [[C]], %b
define <4 x float> @f(<4 x float> %a, <4 x float> %b) {
  %first = fdiv <4 x float> %a, %b
  %second = fdiv <4 x float> <float 1.0, float 0.0, float 1.0, float 1.0>, %b
  %sum = fadd <4 x float> %first, %second
  ret <4 x float> %sum
}

; By hand: 6/4 + 1/4, 1/2 + 0, 0 + 1/8, -3 * 2 + 1 * 2.
define i32 @main() {
  %got = call <4 x float> @f(<4 x float> <float 6.0, float 1.0, float 0.0, float -3.0>, <4 x float> <float 4.0, float 2.0, float 8.0, float 0.5>)
  %wrong = fcmp une <4 x float> %got, <float 1.75, float 0.5, float 0.125, float -4.0>
  %bits = bitcast <4 x i1> %wrong to i4
  %code = zext i4 %bits to i32
  ret i32 %code
}
