; The high half takes the high halves of both factors: x_hi * y_hi belongs above 64 bits, so this is no product.
; RUN: %opt --passes=recognize-i64 %s | FileCheck %s

; CHECK-LABEL: define <4 x i32> @f(
; CHECK: %lo = mul <2 x i32> %x_lo, %y_lo
; CHECK-NEXT: %cross = mul <2 x i32> %x_hi, %y_hi
; CHECK-NEXT: %hi = add <2 x i32> %mulh, %cross
; CHECK-NEXT: %v = shufflevector <2 x i32> %lo, <2 x i32> %hi, <4 x i32> <i32 0, i32 2, i32 1, i32 3>
; CHECK-NEXT: ret <4 x i32> %v
define <4 x i32> @f(<4 x i32> %x, <4 x i32> %y) {
  %x_lo = shufflevector <4 x i32> %x, <4 x i32> poison, <2 x i32> <i32 0, i32 2>
  %x_hi = shufflevector <4 x i32> %x, <4 x i32> poison, <2 x i32> <i32 1, i32 3>
  %y_lo = shufflevector <4 x i32> %y, <4 x i32> poison, <2 x i32> <i32 0, i32 2>
  %y_hi = shufflevector <4 x i32> %y, <4 x i32> poison, <2 x i32> <i32 1, i32 3>
  %x64 = zext <2 x i32> %x_lo to <2 x i64>
  %y64 = zext <2 x i32> %y_lo to <2 x i64>
  %p64 = mul <2 x i64> %x64, %y64
  %p_hi = lshr <2 x i64> %p64, splat (i64 32)
  %mulh = trunc <2 x i64> %p_hi to <2 x i32>
  %lo = mul <2 x i32> %x_lo, %y_lo
  %cross = mul <2 x i32> %x_hi, %y_hi
  %hi = add <2 x i32> %mulh, %cross
  %v = shufflevector <2 x i32> %lo, <2 x i32> %hi, <4 x i32> <i32 0, i32 2, i32 1, i32 3>
  ret <4 x i32> %v
}
