; A left shift by five stays: at most four additions replace a shift.
; RUN: %opt --tier 1 --cpu sse4.2 --passes=prepare-fastisel %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK-NEXT: %a = load <4 x i32>, ptr %from, align 4
; CHECK-NEXT: %far = shl <4 x i32> %a, <i32 5, i32 5, i32 5, i32 5>
; CHECK-NEXT: store <4 x i32> %far, ptr %out, align 4
; CHECK-NEXT: ret void
define void @f(ptr %out, ptr %from) {
  %a = load <4 x i32>, ptr %from, align 4
  %far = shl <4 x i32> %a, splat (i32 5)
  store <4 x i32> %far, ptr %out, align 4
  ret void
}
