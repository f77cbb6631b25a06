; A sum below a branch whose ways are equally likely stays: above, it would run where nothing needs it.
; RUN: %opt --passes=hoist-last-uses %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK: %b = load <4 x float>, ptr %behind
; CHECK-NEXT: br i1 %some, label %next, label %other
; CHECK: next:
; CHECK-NEXT: %v = fadd <4 x float> %a, %b
; CHECK-NEXT: store <4 x float> %v, ptr %out
; CHECK: other:
; CHECK-NEXT: ret void
define void @f(ptr %from, ptr %out, i1 %some) {
entry:
  %behind = getelementptr i8, ptr %from, i64 16
  %a = load <4 x float>, ptr %from, align 4
  %b = load <4 x float>, ptr %behind, align 4
  br i1 %some, label %next, label %other

next:
  %v = fadd <4 x float> %a, %b
  store <4 x float> %v, ptr %out, align 4
  ret void

other:
  ret void
}
