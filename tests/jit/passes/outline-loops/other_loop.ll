; A loop that only forbids unrolling is no loop over lanes: it stays where it is.
; RUN: %opt --passes=outline-loops %s | FileCheck %s

; CHECK-NOT: define internal
; CHECK-LABEL: define i32 @f(
; CHECK: iteration:
; CHECK-NEXT: %k = phi i32 [ 1, %entry ], [ %next, %iteration ]
; CHECK-NEXT: %sum = phi i32 [ 0, %entry ], [ %added, %iteration ]
; CHECK-NEXT: %added = add i32 %sum, %k
; CHECK-NEXT: %next = add i32 %k, 1
; CHECK-NEXT: %last = icmp eq i32 %k, %end
; CHECK-NEXT: br i1 %last, label %done, label %iteration, !llvm.loop
; CHECK: ret i32 %added
; CHECK-NOT: define internal
define i32 @f(i32 %end) {
entry:
  br label %iteration

iteration:
  %k = phi i32 [ 1, %entry ], [ %next, %iteration ]
  %sum = phi i32 [ 0, %entry ], [ %added, %iteration ]
  %added = add i32 %sum, %k
  %next = add i32 %k, 1
  %last = icmp eq i32 %k, %end
  br i1 %last, label %done, label %iteration, !llvm.loop !0

done:
  ret i32 %added
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
