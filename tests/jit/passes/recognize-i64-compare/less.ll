; "Less" by 32-bit halves, one operand existing as a whole, becomes one 64-bit comparison.
; RUN: %opt --passes=recognize-i64-compare %s | FileCheck %s
; RUN: %opt --passes=recognize-i64-compare %s | lli

; CHECK-LABEL: define i1 @f(
; CHECK-DAG: [[L:%.*]] = zext i32 %low to i64
; CHECK-DAG: [[H:%.*]] = zext i32 %high to i64
; CHECK: [[S:%.*]] = shl {{(nuw )?}}i64 [[H]], 32
; CHECK: [[OTHER:%.*]] = or {{(disjoint )?}}i64 [[S]], [[L]]
; CHECK: [[V:%.*]] = icmp ult i64 %x, [[OTHER]]
; CHECK: ret i1 [[V]]
define i1 @f(i64 %x, i32 %low, i32 %high) {
  %x_low = trunc i64 %x to i32
  %shifted = lshr i64 %x, 32
  %x_high = trunc i64 %shifted to i32
  %l = icmp ult i32 %x_low, %low
  %h = icmp ult i32 %x_high, %high
  %same = icmp eq i32 %x_high, %high
  %both = and i1 %same, %l
  %v = or i1 %h, %both
  ret i1 %v
}

; By hand: 2^32 + 5 is below 2^32 + 6 (the low halves decide) and below 2 * 2^32 + 4 (the high ones do), but
; neither below itself nor below 6.
define i32 @main() {
  %a = call i1 @f(i64 4294967301, i32 6, i32 1)
  %b = call i1 @f(i64 4294967301, i32 4, i32 2)
  %c = call i1 @f(i64 4294967301, i32 5, i32 1)
  %d = call i1 @f(i64 4294967301, i32 6, i32 0)
  %not_a = xor i1 %a, true
  %not_b = xor i1 %b, true
  %first = or i1 %not_a, %not_b
  %last = or i1 %c, %d
  %wrong = or i1 %first, %last
  %code = zext i1 %wrong to i32
  ret i32 %code
}
