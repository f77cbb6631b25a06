; Rejected: a call through a pointer of a State that is no function of the engine's, whatever its mark says.
; RUN: not %opt --passes=verify-accesses %s 2>&1 | FileCheck %s

; CHECK: an instruction that the verifier of accesses does not know:
; CHECK-SAME: %status = call i32 %registers(ptr %state, i32 7), !visor.runtime
define i32 @f(ptr %state) {
  %registers = load ptr, ptr %state
  %status = call i32 %registers(ptr %state, i32 7), !visor.runtime !0
  ret i32 %status
}
!0 = !{!"step"}
