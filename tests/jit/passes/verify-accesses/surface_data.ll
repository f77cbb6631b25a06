; Rejected: the data of a surface, to which a table of State's points. A constant distance from it is no check.
; RUN: not %opt --passes=verify-accesses %s 2>&1 | FileCheck %s

; CHECK: visor-jit-opt: internal error: {{.*}}(a pointer out of memory){{.*}}:  %v = load i32, ptr %data
define void @f(ptr %state, i64 %n) {
  %member = getelementptr i8, ptr %state, i64 8
  %table = load ptr, ptr %member
  %data = load ptr, ptr %table
  %v = load i32, ptr %data
  ret void
}
