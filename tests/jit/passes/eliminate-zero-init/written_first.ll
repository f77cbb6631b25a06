; Scratch that each thread writes before it reads is not cleared between groups: 1 (local memory) instead of 3.
; RUN: %opt --scratch=64 --passes=eliminate-zero-init %s | FileCheck %s
; RUN: %opt --scratch=64 --passes=eliminate-zero-init,lower-memory,verify-accesses %s | lli

; In a scratch block of 8 bytes the second unit, at bytes 8 to 12, lies outside.
; RUN: %opt --scratch=8 --passes=eliminate-zero-init %s | FileCheck %s --check-prefix=SHORT

; CHECK: call i32 %clear(ptr %state, i32 1), !visor.clear
; SHORT: call i32 %clear(ptr %state, i32 3), !visor.clear
define void @f(ptr %state) {
entry:
  br label %thread

thread:
  %group = phi i32 [ 0, %entry ], [ %next, %ended ]
  store i32 0, ptr %state, align 4, !visor.thread !0
  call void @visor.store.surface(<2 x i32> <i32 0, i32 4>, <2 x i1> splat (i1 true), i32 4, ptr @scratch, i64 64, i64 -1, <2 x i32> <i32 7, i32 8>), !visor.scratch !0
  %a = call <2 x i32> @visor.load.surface(<2 x i32> <i32 4, i32 0>, <2 x i1> splat (i1 true), i32 4, ptr @scratch, i64 64, i64 -1), !visor.scratch !0
  store <2 x i32> %a, ptr @out, align 4
  br label %ended

ended:
  %member = getelementptr i8, ptr %state, i64 184
  %clear = load ptr, ptr %member, align 8
  %zero = call i32 %clear(ptr %state, i32 3), !visor.clear !0, !visor.runtime !1
  %next = add i32 %group, 1
  %more = icmp ult i32 %next, 2
  br i1 %more, label %thread, label %end

end:
  ret void
}
declare void @visor.store.surface(<2 x i32>, <2 x i1>, i32, ptr, i64, i64, <2 x i32>)
declare <2 x i32> @visor.load.surface(<2 x i32>, <2 x i1>, i32, ptr, i64, i64)
!0 = !{}
!1 = !{!"clear"}

; The engine's State has the pointer to its function `clear` at byte 184.
@state = global [64 x ptr] zeroinitializer
@scratch = global [64 x i8] zeroinitializer
@out = global [2 x i32] zeroinitializer
@cleared = global i32 0

define i32 @clear(ptr %state, i32 %what) {
  %before = load i32, ptr @cleared, align 4
  %after = add i32 %before, %what
  store i32 %after, ptr @cleared, align 4
  ret i32 0
}

; By hand: two groups clear local memory, 1 + 1; the lanes read the units in reverse order.
define i32 @main() {
  store ptr @clear, ptr getelementptr (i8, ptr @state, i64 184)
  call void @f(ptr @state)
  %got = load <2 x i32>, ptr @out, align 4
  %wrong = icmp ne <2 x i32> %got, <i32 8, i32 7>
  %bits = bitcast <2 x i1> %wrong to i2
  %lanes = zext i2 %bits to i32
  %cleared = load i32, ptr @cleared, align 4
  %difference = sub i32 %cleared, 2
  %code = or i32 %lanes, %difference
  ret i32 %code
}
