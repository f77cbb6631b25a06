; Code stays if the part is no subset of the mask, if it is an `or`, and for vectors, which need no bitcast.
; RUN: %opt --passes=complement-masks %s | FileCheck %s
; RUN: %opt --passes=complement-masks %s | lli

; CHECK-LABEL: define i32 @f(
; CHECK-NEXT: %part = and i32 %x, 5
; CHECK-NEXT: %other = xor i32 %part, %mask
; CHECK-NEXT: %any = or i32 %x, %mask
; CHECK-NEXT: %rest = xor i32 %any, %mask
; CHECK-NEXT: %both = and <4 x i32> %v, %w
; CHECK-NEXT: %vector = xor <4 x i32> %both, %w
define i32 @f(i32 %x, i32 %mask, <4 x i32> %v, <4 x i32> %w) {
  %part = and i32 %x, 5
  %other = xor i32 %part, %mask
  %any = or i32 %x, %mask
  %rest = xor i32 %any, %mask
  %both = and <4 x i32> %v, %w
  %vector = xor <4 x i32> %both, %w
  %lane = extractelement <4 x i32> %vector, i64 0
  %rest8 = shl i32 %rest, 8
  %lane16 = shl i32 %lane, 16
  %two = or i32 %other, %rest8
  %three = or i32 %two, %lane16
  ret i32 %three
}

; By hand, x = 0110, mask = 0011: 4 ^ 3 = 7, 7 ^ 3 = 4 (second byte), and 12 without 10 = 4 (third).
define i32 @main() {
  %got = call i32 @f(i32 6, i32 3, <4 x i32> splat (i32 10), <4 x i32> splat (i32 12))
  %wrong = icmp ne i32 %got, u0x40407
  %code = zext i1 %wrong to i32
  ret i32 %code
}
