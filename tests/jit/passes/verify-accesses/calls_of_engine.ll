; Accepted, and left alone: a call of the engine's function `step`, through the pointer that a State has at byte 144.
; RUN: %opt --passes=verify-accesses %s | FileCheck %s
; RUN: %opt --passes=verify-accesses %s | lli

; CHECK: %status = call i32 %step(ptr %state, i32 7), !visor.runtime
define i32 @f(ptr %state) {
  %member = getelementptr i8, ptr %state, i64 144
  %step = load ptr, ptr %member
  %status = call i32 %step(ptr %state, i32 7), !visor.runtime !0
  ret i32 %status
}
!0 = !{!"step"}

@state = global [64 x ptr] zeroinitializer
define i32 @step(ptr %state, i32 %instruction) {
  %status = sub i32 %instruction, 7
  ret i32 %status
}

; By hand: 7 - 7.
define i32 @main() {
  store ptr @step, ptr getelementptr (i8, ptr @state, i64 144)
  %code = call i32 @f(ptr @state)
  ret i32 %code
}
