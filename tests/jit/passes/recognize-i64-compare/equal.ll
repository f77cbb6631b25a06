; Equality of both halves, in either order of operands, becomes one 64-bit comparison.
; RUN: %opt --passes=recognize-i64-compare %s | FileCheck %s
; RUN: %opt --passes=recognize-i64-compare %s | lli

; CHECK-LABEL: define i1 @f(
; CHECK: [[V:%.*]] = icmp eq i64 %x, %{{.*}}
; CHECK: ret i1 [[V]]
define i1 @f(i64 %x, i32 %low, i32 %high) {
  %x_low = trunc i64 %x to i32
  %shifted = lshr i64 %x, 32
  %x_high = trunc i64 %shifted to i32
  %l = icmp eq i32 %x_low, %low
  %h = icmp eq i32 %high, %x_high
  %v = and i1 %h, %l
  ret i1 %v
}

; By hand: 3 * 2^32 + 9 has the halves 9 and 3; not 8 and 3, nor 9 and 2.
define i32 @main() {
  %a = call i1 @f(i64 12884901897, i32 9, i32 3)
  %b = call i1 @f(i64 12884901897, i32 8, i32 3)
  %c = call i1 @f(i64 12884901897, i32 9, i32 2)
  %not_a = xor i1 %a, true
  %other = or i1 %b, %c
  %wrong = or i1 %not_a, %other
  %code = zext i1 %wrong to i32
  ret i32 %code
}
