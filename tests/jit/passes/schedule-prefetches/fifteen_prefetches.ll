; Fifteen prefetches, one fewer than sixteen, stay in front of the sum: the CPU keeps so many misses in flight.
; RUN: opt -S -passes='function(loop(loop-unroll-full),simplifycfg)' %s | %opt --passes=schedule-prefetches - | FileCheck %s

; CHECK-LABEL: define i32 @f(
; CHECK-NEXT: entry:
; CHECK-NEXT: call void @llvm.prefetch.p0(ptr %data,
; CHECK-COUNT-14: call void @llvm.prefetch.p0(ptr %line.
; CHECK-NEXT: %s1 = add i32 %x, %y
; CHECK-NOT: llvm.codeview.annotation
; CHECK-COUNT-2999: add i32
; CHECK-NEXT: ret i32
define i32 @f(i32 %x, i32 %y, ptr %data) {
entry:
  br label %fetch
fetch:
  %k = phi i64 [ 0, %entry ], [ %k1, %fetch ]
  %at = shl i64 %k, 6
  %line = getelementptr i8, ptr %data, i64 %at
  call void @llvm.prefetch.p0(ptr %line, i32 0, i32 3, i32 1)
  %k1 = add i64 %k, 1
  %fetches = icmp ult i64 %k1, 15
  br i1 %fetches, label %fetch, label %sum, !llvm.loop !0
sum:
  %n = phi i64 [ 0, %fetch ], [ %n1, %sum ]
  %s = phi i32 [ %x, %fetch ], [ %s1, %sum ]
  %s1 = add i32 %s, %y
  %n1 = add i64 %n, 1
  %more = icmp ult i64 %n1, 3000
  br i1 %more, label %sum, label %done, !llvm.loop !1
done:
  ret i32 %s1
}

declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
!0 = distinct !{!0, !2}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.unroll.full"}
