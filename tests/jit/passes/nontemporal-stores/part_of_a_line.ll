; 48 bytes are no whole line: past the caches, memory would have to merge them with the rest of it.
; RUN: %opt --eager --passes=nontemporal-stores %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK-NEXT: store <12 x i32> %v, ptr %to, align 1{{$}}
; CHECK-NEXT: ret void
define void @f(ptr %state, ptr %to, <12 x i32> %v) {
  store <12 x i32> %v, ptr %to, align 1, !nontemporal !0
  ret void
}
!0 = !{i32 1}
