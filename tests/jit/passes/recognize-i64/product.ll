; A 32-bit number times three, by halves (the high one from a widening product), becomes one 64-bit product.
; RUN: %opt --passes=recognize-i64 %s | FileCheck %s
; RUN: %opt --passes=recognize-i64 %s | lli

; CHECK-LABEL: define void @f(
; CHECK: %lo = mul <2 x i32> %a,
; CHECK: [[A:%.*]] = zext <2 x i32> %a to <2 x i64>
; CHECK-NEXT: [[PRODUCT:%.*]] = mul <2 x i64> [[A]], {{splat \(i64 3\)|<i64 3, i64 3>}}
; CHECK-NEXT: [[V:%.*]] = bitcast <2 x i64> [[PRODUCT]] to <4 x i32>
; CHECK: store <4 x i32> [[V]], ptr %out
define void @f(ptr %out, ptr %dwords) {
  %a = load <2 x i32>, ptr %dwords, align 4
  %a64 = zext <2 x i32> %a to <2 x i64>
  %p64 = mul <2 x i64> %a64, splat (i64 3)
  %p_hi = lshr <2 x i64> %p64, splat (i64 32)
  %hi = trunc <2 x i64> %p_hi to <2 x i32>
  %lo = mul <2 x i32> %a, splat (i32 3)
  %v = shufflevector <2 x i32> %lo, <2 x i32> %hi, <4 x i32> <i32 0, i32 2, i32 1, i32 3>
  store <4 x i32> %v, ptr %out, align 4
  ret void
}

@dwords = constant [2 x i32] [i32 2147483648, i32 7]
@out = global [2 x i64] zeroinitializer

; By hand: 3 * 2^31 = 6442450944, above 32 bits; 3 * 7 = 21.
define i32 @main() {
  call void @f(ptr @out, ptr @dwords)
  %got = load <2 x i64>, ptr @out, align 8
  %wrong = icmp ne <2 x i64> %got, <i64 6442450944, i64 21>
  %bits = bitcast <2 x i1> %wrong to i2
  %code = zext i2 %bits to i32
  ret i32 %code
}
