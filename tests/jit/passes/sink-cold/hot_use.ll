; A vector that the hot path uses as well stays there: in the cold block it would be computed a second time.
; RUN: %opt --passes=sink-cold %s | FileCheck %s

; CHECK-LABEL: define <4 x i32> @f(
; CHECK: entry:
; CHECK-NEXT: %offsets = shl <4 x i32> %k,
; CHECK-NEXT: br i1 %fits, label %hot, label %seldom
; CHECK: seldom:
; CHECK-NEXT: store <4 x i32> %offsets, ptr %out
; CHECK: hot:
; CHECK-NEXT: ret <4 x i32> %offsets
define <4 x i32> @f(<4 x i32> %k, i1 %fits, ptr %out) {
entry:
  %offsets = shl <4 x i32> %k, splat (i32 2)
  br i1 %fits, label %hot, label %seldom, !prof !0

seldom:
  store <4 x i32> %offsets, ptr %out, align 4
  br label %hot

hot:
  ret <4 x i32> %offsets
}
!0 = !{!"branch_weights", i32 1000, i32 1}
