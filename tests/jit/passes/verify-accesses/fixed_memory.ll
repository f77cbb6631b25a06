; Accepted, and left alone: memory of a known size. An array on the stack to its last byte, a global, a State, a
; table that a State points to, and an array argument that its caller has.
; RUN: %opt --passes=verify-accesses %s | FileCheck %s
; RUN: %opt --passes=verify-accesses %s | lli

; CHECK-LABEL: define i32 @f(
; CHECK: %t = load i32, ptr %table.at
; CHECK-NEXT: ret i32 %t
; CHECK-LABEL: define internal void @g(
; CHECK: store i32 7, ptr %last
@global = global [4 x i32] zeroinitializer
define i32 @f(ptr %state) {
  %array = alloca [4 x i32]
  %end = getelementptr i8, ptr %array, i64 12
  store i32 1, ptr %end
  call void @g(ptr %array)
  %seven = load i32, ptr %end
  %word = getelementptr i8, ptr @global, i64 12
  store i32 %seven, ptr %word
  %member = getelementptr i8, ptr %state, i64 8
  %table = load ptr, ptr %member
  %table.at = getelementptr i8, ptr %table, i64 800
  %t = load i32, ptr %table.at
  ret i32 %t
}
define internal void @g(ptr "visor-array-bytes"="16" %a) {
  %last = getelementptr i8, ptr %a, i64 12
  store i32 7, ptr %last
  ret void
}

@table = global { [800 x i8], i32 } { [800 x i8] zeroinitializer, i32 30 }
@state = global [64 x ptr] zeroinitializer

; By hand: 30 of the table, and 7 that @g stored.
define i32 @main() {
  store ptr @table, ptr getelementptr (i8, ptr @state, i64 8)
  %thirty = call i32 @f(ptr @state)
  %seven = load i32, ptr getelementptr (i8, ptr @global, i64 12)
  %sum = add i32 %thirty, %seven
  %code = sub i32 %sum, 37
  ret i32 %code
}
