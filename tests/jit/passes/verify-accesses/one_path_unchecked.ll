; Rejected: one of two paths leads to the pointer without its mark.
; RUN: not %opt --passes=verify-accesses %s 2>&1 | FileCheck %s

; CHECK: visor-jit-opt: internal error: {{.*}}(a pointer from an integer){{.*}}:  store i32 1, ptr %q
declare ptr @checked.flat.unit(ptr returned, i64, i64) memory(none)
define void @f(ptr %state, i64 %n) {
  %p = inttoptr i64 %n to ptr
  %m = call ptr @checked.flat.unit(ptr %p, i64 0, i64 4)
  %odd = trunc i64 %n to i1
  br i1 %odd, label %near, label %far
near:
  br label %far
far:
  %q = phi ptr [ %m, %near ], [ %p, %0 ]
  store i32 1, ptr %q
  ret void
}
