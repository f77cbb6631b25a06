; Halves compared as signed numbers stay: in a 64-bit number the low half has no sign.
; RUN: %opt --passes=recognize-i64-compare %s | FileCheck %s
; RUN: %opt --passes=recognize-i64-compare %s | lli

; CHECK-LABEL: define i1 @f(
; CHECK-NEXT: %x_low = trunc i64 %x to i32
; CHECK-NEXT: %shifted = lshr i64 %x, 32
; CHECK-NEXT: %x_high = trunc i64 %shifted to i32
; CHECK-NEXT: %l = icmp slt i32 %x_low, %low
; CHECK-NEXT: %h = icmp slt i32 %x_high, %high
; CHECK-NEXT: %same = icmp eq i32 %x_high, %high
; CHECK-NEXT: %both = and i1 %same, %l
; CHECK-NEXT: %v = or i1 %h, %both
; CHECK-NEXT: ret i1 %v
define i1 @f(i64 %x, i32 %low, i32 %high) {
  %x_low = trunc i64 %x to i32
  %shifted = lshr i64 %x, 32
  %x_high = trunc i64 %shifted to i32
  %l = icmp slt i32 %x_low, %low
  %h = icmp slt i32 %x_high, %high
  %same = icmp eq i32 %x_high, %high
  %both = and i1 %same, %l
  %v = or i1 %h, %both
  ret i1 %v
}

; By hand: equal high halves 1; the low half -1 (2^32 - 1) is below 0 as a signed number, not as a 64-bit one.
define i32 @main() {
  %less = call i1 @f(i64 8589934591, i32 0, i32 1)
  %wrong = xor i1 %less, true
  %code = zext i1 %wrong to i32
  ret i32 %code
}
