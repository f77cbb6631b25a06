; Accepted: a pointer from an integer within the bytes of its mark, which is then removed: 4 bytes, and 4 in front.
; RUN: %opt --passes=verify-accesses %s | FileCheck %s
; RUN: %opt --passes=verify-accesses %s | lli

; CHECK-LABEL: define i32 @f(
; CHECK: %p = inttoptr i64 %x to ptr
; CHECK-NEXT: %a = load i32, ptr %p
; CHECK-NEXT: %before = getelementptr i8, ptr %p, i64 -4
; CHECK-NEXT: %b = load i32, ptr %before
; CHECK-NOT: checked.
declare ptr @checked.flat.unit(ptr returned, i64, i64) memory(none)
define i32 @f(ptr %state, i64 %x) {
  %p = inttoptr i64 %x to ptr
  %m = call ptr @checked.flat.unit(ptr %p, i64 -4, i64 4)
  %a = load i32, ptr %m
  %before = getelementptr i8, ptr %m, i64 -4
  %b = load i32, ptr %before
  %c = sub i32 %a, %b
  ret i32 %c
}

@data = constant [3 x i32] [i32 1, i32 10, i32 35]

; By hand: word 2 less word 1 is 35 - 10 = 25.
define i32 @main() {
  %got = call i32 @f(ptr null, i64 ptrtoint (ptr getelementptr (i8, ptr @data, i64 8) to i64))
  %wrong = icmp ne i32 %got, 25
  %code = zext i1 %wrong to i32
  ret i32 %code
}
