; Rejected: the mark says that 4 bytes were checked, and the load takes the 4 after the first one.
; RUN: not %opt --passes=verify-accesses %s 2>&1 | FileCheck %s

; CHECK: visor-jit-opt: internal error: {{.*}}(beyond its mark){{.*}}:  %v = load i32, ptr %q
declare ptr @checked.flat.unit(ptr returned, i64, i64) memory(none)
define void @f(ptr %state, i64 %n) {
  %p = inttoptr i64 %n to ptr
  %m = call ptr @checked.flat.unit(ptr %p, i64 0, i64 4)
  %q = getelementptr i8, ptr %m, i64 1
  %v = load i32, ptr %q
  ret void
}
