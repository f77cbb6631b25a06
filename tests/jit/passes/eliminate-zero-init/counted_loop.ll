; Scratch that four iterations write, and code after them reads, is not cleared: each iteration is followed.
; RUN: %opt --scratch=64 --passes=eliminate-zero-init %s | FileCheck %s

; CHECK: call i32 %clear(ptr %state, i32 1), !visor.clear
define void @f(ptr %state, ptr %data) {
entry:
  br label %thread

thread:
  store i32 0, ptr %state, align 4, !visor.thread !0
  br label %loop

loop:
  %i = phi i32 [ 0, %thread ], [ %next, %loop ]
  %bytes = shl i32 %i, 3
  %first = insertelement <2 x i32> poison, i32 %bytes, i64 0
  %both = shufflevector <2 x i32> %first, <2 x i32> poison, <2 x i32> zeroinitializer
  %place = add <2 x i32> %both, <i32 0, i32 4>
  call void @visor.store.surface(<2 x i32> %place, <2 x i1> splat (i1 true), i32 4, ptr %data, i64 64, i64 -1, <2 x i32> splat (i32 7)), !visor.scratch !0
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %loop, label %behind

behind:
  %last = call <2 x i32> @visor.load.surface(<2 x i32> <i32 24, i32 28>, <2 x i1> splat (i1 true), i32 4, ptr %data, i64 64, i64 -1), !visor.scratch !0
  %clear = load ptr, ptr %state, align 8
  %zero = call i32 %clear(ptr %state, i32 3), !visor.clear !0, !visor.runtime !1
  br label %thread
}
declare void @visor.store.surface(<2 x i32>, <2 x i1>, i32, ptr, i64, i64, <2 x i32>)
declare <2 x i32> @visor.load.surface(<2 x i32>, <2 x i1>, i32, ptr, i64, i64)
!0 = !{}
!1 = !{!"clear"}
