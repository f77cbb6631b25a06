; Rejected: a memory intrinsic that no pass has lowered.
; RUN: not %opt --passes=verify-accesses %s 2>&1 | FileCheck %s

; CHECK: visor-jit-opt: internal error: {{.*}}that the verifier of accesses does not know{{.*}}:  %v = call <4 x i32> @visor.load.surface(
declare <4 x i32> @visor.load.surface(<4 x i32>, <4 x i1>, i32, ptr, i64, i64)
define void @f(ptr %state, i64 %n) {
  %v = call <4 x i32> @visor.load.surface(<4 x i32> zeroinitializer, <4 x i1> splat (i1 true), i32 0, ptr %state, i64 %n, i64 -1)
  ret void
}
