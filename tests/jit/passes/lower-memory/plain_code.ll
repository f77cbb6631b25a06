; Ordinary loads, stores and calls are no messages: they stay as they are.
; RUN: %opt --passes=lower-memory %s | FileCheck %s

; CHECK-LABEL: define i32 @f(
; CHECK-NEXT: %a = load i32, ptr %state, align 4
; CHECK-NEXT: %p = getelementptr i8, ptr %state, i64 4
; CHECK-NEXT: store i32 %a, ptr %p, align 4
; CHECK-NEXT: %v = call <4 x i32> @visors_own(<4 x i32> zeroinitializer)
; CHECK-NEXT: %b = extractelement <4 x i32> %v, i64 1
; CHECK-NEXT: %c = add i32 %a, %b
; CHECK-NEXT: ret i32 %c
declare <4 x i32> @visors_own(<4 x i32>)
define i32 @f(ptr %state) {
  %a = load i32, ptr %state, align 4
  %p = getelementptr i8, ptr %state, i64 4
  store i32 %a, ptr %p, align 4
  %v = call <4 x i32> @visors_own(<4 x i32> zeroinitializer)
  %b = extractelement <4 x i32> %v, i64 1
  %c = add i32 %a, %b
  ret i32 %c
}
