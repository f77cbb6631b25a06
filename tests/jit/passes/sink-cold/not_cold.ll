; An edge that is taken once in a hundred times is not cold: what its block uses stays above.
; RUN: %opt --passes=sink-cold %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK: entry:
; CHECK-NEXT: %offsets = shl <4 x i32> %k,
; CHECK-NEXT: br i1 %fits, label %hot, label %other
; CHECK: other:
; CHECK-NEXT: store <4 x i32> %offsets, ptr %out
define void @f(<4 x i32> %k, i1 %fits, ptr %out) {
entry:
  %offsets = shl <4 x i32> %k, splat (i32 2)
  br i1 %fits, label %hot, label %other, !prof !0

other:
  store <4 x i32> %offsets, ptr %out, align 4
  br label %hot

hot:
  ret void
}
!0 = !{!"branch_weights", i32 100, i32 1}
