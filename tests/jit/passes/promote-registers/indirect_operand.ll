; A register that code reads at a variable offset keeps its stack slot: no value has a variable part.
; RUN: %opt --passes=promote-registers %s | FileCheck %s
; RUN: %opt --passes=promote-registers %s | lli

; CHECK-LABEL: define i32 @f(
; CHECK-NEXT: %register = alloca [16 x i8], align 16
; CHECK-NEXT: store <4 x i32> %a, ptr %register, align 4
; CHECK-NEXT: %at = getelementptr i8, ptr %register, i64 %offset
; CHECK-NEXT: %part = load i32, ptr %at, align 4
; CHECK-NEXT: ret i32 %part
define i32 @f(<4 x i32> %a, i64 %offset) {
  %register = alloca [16 x i8], align 16
  store <4 x i32> %a, ptr %register, align 4
  %at = getelementptr i8, ptr %register, i64 %offset
  %part = load i32, ptr %at, align 4
  ret i32 %part
}

; By hand: byte 8 is where the third element begins.
define i32 @main() {
  %got = call i32 @f(<4 x i32> <i32 1, i32 2, i32 3, i32 4>, i64 8)
  %wrong = icmp ne i32 %got, 3
  %code = zext i1 %wrong to i32
  ret i32 %code
}
