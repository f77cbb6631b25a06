; Operands in either order, either of them as the mask, and the complement of a complement.
; RUN: %opt --passes=complement-masks %s | FileCheck %s
; RUN: %opt --passes=complement-masks %s | lli

; CHECK-LABEL: define i32 @f(
; CHECK: [[NOTX:%.*]] = xor i32 %x, -1
; CHECK-NEXT: [[FIRST:%.*]] = and i32 [[NOTX]], %mask
; CHECK-NEXT: [[NOTMASK:%.*]] = xor i32 %mask, -1
; CHECK-NEXT: [[SECOND:%.*]] = and i32 [[NOTMASK]], %x
; CHECK-NEXT: %both = and i32 [[FIRST]], %mask
; CHECK-NEXT: [[NOTFIRST:%.*]] = xor i32 [[FIRST]], -1
; CHECK-NEXT: [[THIRD:%.*]] = and i32 [[NOTFIRST]], %mask
define i32 @f(i32 %x, i32 %mask) {
  %part = and i32 %mask, %x
  %first = xor i32 %mask, %part
  %second = xor i32 %part, %x
  %both = and i32 %first, %mask
  %third = xor i32 %both, %mask
  %second8 = shl i32 %second, 8
  %third16 = shl i32 %third, 16
  %two = or i32 %first, %second8
  %three = or i32 %two, %third16
  ret i32 %three
}

; By hand, x = 0110, mask = 0011: mask without x is 1, x without mask 4 (in the second byte), mask without the first 2 (in the third).
define i32 @main() {
  %got = call i32 @f(i32 6, i32 3)
  %wrong = icmp ne i32 %got, u0x20401
  %code = zext i1 %wrong to i32
  ret i32 %code
}
