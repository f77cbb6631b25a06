; A sum that ends both its operands moves above the range check between them: one live vector instead of two.
; RUN: %opt --passes=hoist-last-uses %s | FileCheck %s
; RUN: %opt --passes=hoist-last-uses %s | lli

; CHECK-LABEL: define <4 x float> @f(
; CHECK: %a = load <4 x float>, ptr %from
; CHECK-NEXT: %b = load <4 x float>, ptr %behind
; CHECK-NEXT: %v = fadd <4 x float> %a, %b
; CHECK-NEXT: br i1 %fits, label %next, label %seldom
; CHECK: next:
; CHECK-NEXT: ret <4 x float> %v
define <4 x float> @f(ptr %from, i1 %fits) {
entry:
  %behind = getelementptr i8, ptr %from, i64 16
  %a = load <4 x float>, ptr %from, align 4
  %b = load <4 x float>, ptr %behind, align 4
  br i1 %fits, label %next, label %seldom, !prof !0

seldom:
  store i32 1, ptr @outside, align 4
  br label %next

next:
  %v = fadd <4 x float> %a, %b
  ret <4 x float> %v
}
!0 = !{!"branch_weights", i32 1000, i32 1}

@from = constant [8 x float] [float 1.0, float 2.0, float 3.0, float 4.0, float 10.0, float 20.0, float 30.0, float 40.0]
@outside = global i32 0

; By hand: 1 + 10, 2 + 20, 3 + 30, 4 + 40 on both paths; the cold one stores 1.
define i32 @main() {
  %hot = call <4 x float> @f(ptr @from, i1 true)
  %before = load i32, ptr @outside, align 4
  %cold = call <4 x float> @f(ptr @from, i1 false)
  %after = load i32, ptr @outside, align 4
  %a = fcmp une <4 x float> %hot, <float 11.0, float 22.0, float 33.0, float 44.0>
  %b = fcmp une <4 x float> %cold, <float 11.0, float 22.0, float 33.0, float 44.0>
  %wrong = or <4 x i1> %a, %b
  %bits = bitcast <4 x i1> %wrong to i4
  %lanes = zext i4 %bits to i32
  %stored = sub i32 %after, %before
  %difference = sub i32 1, %stored
  %code = or i32 %lanes, %difference
  ret i32 %code
}
