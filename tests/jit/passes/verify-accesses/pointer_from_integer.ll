; Rejected: nothing has checked an address that a kernel could choose.
; RUN: not %opt --passes=verify-accesses %s 2>&1 | FileCheck %s

; CHECK: visor-jit-opt: internal error: {{.*}}(a pointer from an integer){{.*}}:  %v = load i32, ptr %p
define void @f(ptr %state, i64 %n) {
  %p = inttoptr i64 %n to ptr
  %v = load i32, ptr %p
  ret void
}
