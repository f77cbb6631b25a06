; A whole line without the mark of a candidate: the kernel may read it again soon.
; RUN: %opt --eager --passes=nontemporal-stores %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK-NEXT: store <16 x i32> %v, ptr %to, align 64{{$}}
; CHECK-NEXT: ret void
; CHECK-NOT: sfence
define void @f(ptr %state, ptr %to, <16 x i32> %v) {
  store <16 x i32> %v, ptr %to, align 64
  ret void
}
