; A sum whose operands are both used later stays: above, all three vectors would be live at the branch.
; RUN: %opt --passes=hoist-last-uses %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK: %b = load <4 x float>, ptr %behind
; CHECK-NEXT: br label %next
; CHECK: next:
; CHECK-NEXT: %v = fadd <4 x float> %a, %b
; CHECK-NEXT: store <4 x float> %v, ptr %out
; CHECK-NEXT: store <4 x float> %a, ptr %from
; CHECK-NEXT: store <4 x float> %b, ptr %behind
define void @f(ptr %from, ptr %out) {
entry:
  %behind = getelementptr i8, ptr %from, i64 16
  %a = load <4 x float>, ptr %from, align 4
  %b = load <4 x float>, ptr %behind, align 4
  br label %next

next:
  %v = fadd <4 x float> %a, %b
  store <4 x float> %v, ptr %out, align 4
  store <4 x float> %a, ptr %from, align 4
  store <4 x float> %b, ptr %behind, align 4
  ret void
}
