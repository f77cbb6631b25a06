; LLVM 19 takes 0/0 of known zeros for 0, so that 1/(0/0) is infinite. With the fence it is a NaN.
; RUN: %opt --passes=hide-zero-dividends %s | FileCheck %s
; RUN: %opt --passes=hide-zero-dividends %s | lli

; CHECK-LABEL: define <8 x float> @f(
; CHECK: [[HIDDEN:%.*]] = call <8 x float> @llvm.arithmetic.fence.v8f32(<8 x float> %zero)
; CHECK-NEXT: %quotient = fdiv <8 x float> [[HIDDEN]], zeroinitializer
; CHECK: %inverse = fdiv <8 x float> <float 1.000000e+00, {{.*}}, %chosen
define <8 x float> @f(<8 x i1> %on) {
  %zero = bitcast <8 x i32> zeroinitializer to <8 x float>
  %quotient = fdiv <8 x float> %zero, zeroinitializer
  %chosen = select <8 x i1> %on, <8 x float> %quotient, <8 x float> zeroinitializer
  %inverse = fdiv <8 x float> splat (float 1.0), %chosen
  ret <8 x float> %inverse
}

; By hand: NaNs in lanes 0 and 2, which are on; 1/0, which is infinite and no NaN, in the others.
define i32 @main() {
  %on = bitcast i8 5 to <8 x i1>
  %got = call <8 x float> @f(<8 x i1> %on)
  %nan = fcmp uno <8 x float> %got, zeroinitializer
  %bits = bitcast <8 x i1> %nan to i8
  %wrong = xor i8 %bits, 5
  %code = zext i8 %wrong to i32
  ret i32 %code
}
