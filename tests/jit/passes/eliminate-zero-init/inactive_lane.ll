; A unit whose lane is off in the store is not written: a read of it needs the clearing, which stays.
; RUN: %opt --scratch=64 --passes=eliminate-zero-init %s | FileCheck %s

; CHECK: call i32 %clear(ptr %state, i32 3), !visor.clear
define void @f(ptr %state, ptr %data) {
entry:
  br label %thread

thread:
  store i32 0, ptr %state, align 4, !visor.thread !0
  call void @visor.store.surface(<2 x i32> <i32 0, i32 4>, <2 x i1> <i1 true, i1 false>, i32 4, ptr %data, i64 64, i64 -1, <2 x i32> splat (i32 7)), !visor.scratch !0
  %both = call <2 x i32> @visor.load.surface(<2 x i32> <i32 0, i32 4>, <2 x i1> splat (i1 true), i32 4, ptr %data, i64 64, i64 -1), !visor.scratch !0
  %clear = load ptr, ptr %state, align 8
  %zero = call i32 %clear(ptr %state, i32 3), !visor.clear !0, !visor.runtime !1
  br label %thread
}
declare void @visor.store.surface(<2 x i32>, <2 x i1>, i32, ptr, i64, i64, <2 x i32>)
declare <2 x i32> @visor.load.surface(<2 x i32>, <2 x i1>, i32, ptr, i64, i64)
!0 = !{}
!1 = !{!"clear"}
