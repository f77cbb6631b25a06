; Rejected: of a masked row only the active lanes' bytes were checked, and an ordinary load takes all.
; RUN: not %opt --passes=verify-accesses %s 2>&1 | FileCheck %s

; CHECK: visor-jit-opt: internal error: {{.*}}(used otherwise than its mark allows){{.*}}:  %v = load <4 x i32>, ptr %m
declare ptr @checked.flat.masked_row(ptr returned, i64, i64) memory(none)
define void @f(ptr %state, i64 %n) {
  %p = inttoptr i64 %n to ptr
  %m = call ptr @checked.flat.masked_row(ptr %p, i64 0, i64 16)
  %v = load <4 x i32>, ptr %m
  ret void
}
