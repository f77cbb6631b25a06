; Rejected: the last of four bytes is the first one beyond an array on the stack.
; RUN: not %opt --passes=verify-accesses %s 2>&1 | FileCheck %s

; CHECK: visor-jit-opt: internal error: {{.*}}(beyond an array on the stack){{.*}}:  store i32 1, ptr %p
define void @f(ptr %state, i64 %n) {
  %array = alloca [4 x i32]
  %p = getelementptr i8, ptr %array, i64 13
  store i32 1, ptr %p
  ret void
}
